#include "cmd/service_exec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_BYTES 4096

const cuzk_service_name cuzk_service_names[] = {
    {"serve", "run the service"},
    {"submit", "give a job to the service"},
    {"await", "wait for a job and write its proof"},
    {"cancel", "cancel a job"},
    {"status", "show what the service is doing"},
    {"top", "show it again and again"},
    {"preload", "load a key before it is needed"},
    {"evict", "drop a key that is loaded"},
};
const size_t cuzk_service_names_count = sizeof cuzk_service_names / sizeof cuzk_service_names[0];

static bool is_name(const char *word)
{
    for (size_t i = 0; i < cuzk_service_names_count; i++)
        if (strcmp(cuzk_service_names[i].name, word) == 0)
            return true;
    return false;
}

/* -c FILE, -cFILE, --config FILE, --config=FILE, and so on. */
static bool is_option(const char *word)
{
    static const char *const options[] = {"--config", "--listen", "--log-level", "--print-config"};
    if (strncmp(word, "-c", 2) == 0 || strncmp(word, "-l", 2) == 0)
        return true;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        size_t length = strlen(options[i]);
        if (strncmp(word, options[i], length) == 0 && (word[length] == '=' || word[length] == '\0'))
            return true;
    }
    return false;
}

bool cuzk_service_is_meant(int argc, char *const *argv)
{
    return argc < 2 || is_name(argv[1]) || is_option(argv[1]);
}

/* Where the program may lie, from where this one lies. */
static cuzk_status find(char beside[PATH_BYTES], char libexec[PATH_BYTES], cuzk_error *err)
{
    char self[PATH_BYTES - 64];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0)
        return cuzk_fail(err, CUZK_ERR_IO, "/proc/self/exe: %s; the service cannot be found",
                         strerror(errno));
    self[n] = '\0';
    char *slash = strrchr(self, '/');
    CUZK_ASSERT(slash != NULL);
    *slash = '\0';
    snprintf(beside, PATH_BYTES, "%s/cuzk-service", self);
    snprintf(libexec, PATH_BYTES, "%s/../libexec/cuzk/cuzk-service", self);
    return CUZK_OK;
}

cuzk_status cuzk_service_exec(int argc, char **argv, cuzk_error *err)
{
    static char name[] = "cuzk-service", serve[] = "serve";
    char beside[PATH_BYTES], libexec[PATH_BYTES];
    CUZK_TRY(find(beside, libexec, err));
    char **arguments = calloc((size_t)argc + 3, sizeof *arguments);
    if (arguments == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory to start the service");
    int n = 0, from = argc > 0 ? 1 : 0;
    arguments[n++] = name;
    if (argc < 2 || !is_name(argv[1]))
        arguments[n++] = serve;
    while (from < argc)
        arguments[n++] = argv[from++];
    execv(beside, arguments);
    int code = errno;
    if (code == ENOENT) {
        execv(libexec, arguments);
        code = errno;
    }
    free(arguments);
    if (code == ENOENT)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "`cuzk %s` needs the program cuzk-service, which is neither at %s nor at "
                         "%s; install it with this one",
                         argc < 2 || !is_name(argv[1]) ? serve : argv[1], beside, libexec);
    return cuzk_fail(err, CUZK_ERR_IO, "%s: cannot be run: %s", beside, strerror(code));
}
