#include "cmd/service/token.h"
#include "base/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LEAST = 8, MOST = 4096 };

static cuzk_status read_file(const char *path, char *text, cuzk_error *err)
{
    struct stat info;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: the token cannot be read: %s", path,
                         strerror(errno));
    size_t n = fread(text, 1, MOST + 1, file);
    int failed = ferror(file);
    if (fstat(fileno(file), &info) == 0 && (info.st_mode & 077) != 0)
        cuzk_log(CUZK_LOG_WARN, "%s: other users may read the token; chmod 600 it", path);
    fclose(file);
    text[n] = '\0';
    if (failed != 0)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: the token cannot be read", path);
    return CUZK_OK;
}

cuzk_status cuzk_token_read(char **token, const char *path, cuzk_error *err)
{
    char text[MOST + 2];
    *token = NULL;
    if (path == NULL || path[0] == '\0')
        return CUZK_OK;
    CUZK_TRY(read_file(path, text, err));
    char *word = text + strspn(text, " \t\r\n");
    size_t length = 0;
    while (word[length] > ' ' && word[length] < 127)
        length++;
    if (length < LEAST || length > MOST || word[length + strspn(word + length, " \t\r\n")] != '\0')
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: expected one word of %d to %d printable ASCII characters; `openssl "
                         "rand -hex 32` makes a good one",
                         path, LEAST, MOST);
    word[length] = '\0';
    *token = strdup(word);
    return *token != NULL ? CUZK_OK : cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory", path);
}
