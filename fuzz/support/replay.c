/* Runs a fuzz target once over each file of the folders and files that are named: the corpus as a
 * plain test, for builds without libFuzzer. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path, size_t size)
{
    /* Exactly size bytes, so that a sanitizer sees the first byte read past the end. */
    uint8_t *data = malloc(size > 0 ? size : 1);
    FILE *file = fopen(path, "rb");
    int failed = data == NULL || file == NULL || fread(data, 1, size, file) != size;
    if (file != NULL)
        fclose(file);
    if (failed)
        fprintf(stderr, "%s: cannot be read\n", path);
    else
        LLVMFuzzerTestOneInput(data, size);
    free(data);
    return failed;
}

static int replay(const char *path, size_t *count);

static int replay_folder(const char *path, size_t *count)
{
    DIR *folder = opendir(path);
    if (folder == NULL) {
        perror(path);
        return 1;
    }
    int failed = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        char child[4096];
        snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
        failed |= replay(child, count);
    }
    closedir(folder);
    return failed;
}

static int replay(const char *path, size_t *count)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        perror(path);
        return 1;
    }
    if (S_ISDIR(info.st_mode))
        return replay_folder(path, count);
    ++*count;
    return replay_file(path, (size_t)info.st_size);
}

int main(int argc, char **argv)
{
    size_t count = 0;
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed |= replay(argv[i], &count);
    printf("%s: %zu inputs\n", argv[0], count);
    return failed || count == 0;
}
