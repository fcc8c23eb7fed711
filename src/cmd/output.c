#include "cmd/output.h"

#include "base/outfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool cuzk_output_is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

bool cuzk_output_is_file(const char *path)
{
    struct stat info;
    return !cuzk_output_is_stdout(path) && (stat(path, &info) != 0 || S_ISREG(info.st_mode));
}

cuzk_status cuzk_output_probe(const char *path, cuzk_error *err)
{
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return cuzk_fail(err, CUZK_ERR_IO, "%s: is a folder; expected the name of a file to write",
                         path);
    /* Opening a pipe would be seen at its other end. */
    if (cuzk_output_is_stdout(path) || (exists && !S_ISREG(info.st_mode)))
        return CUZK_OK;
    cuzk_outfile *file;
    CUZK_TRY(cuzk_outfile_open(&file, path, err));
    cuzk_outfile_abandon(file);
    return CUZK_OK;
}

cuzk_status cuzk_output_write(const char *path, const void *data, size_t n, cuzk_error *err)
{
    if (cuzk_output_is_stdout(path)) {
        if (fwrite(data, 1, n, stdout) != n || fflush(stdout) != 0)
            return cuzk_fail(err, CUZK_ERR_IO, "standard output cannot be written: %s",
                             strerror(errno));
        return CUZK_OK;
    }
    cuzk_outfile *file;
    CUZK_TRY(cuzk_outfile_open(&file, path, err));
    cuzk_outfile_write(file, data, n);
    return cuzk_outfile_commit(file, err);
}

cuzk_status cuzk_output_text(const char *path, const char *text, cuzk_error *err)
{
    CUZK_TRY(cuzk_output_write(path, text, strlen(text), err));
    if (cuzk_output_is_stdout(path))
        CUZK_TRY(cuzk_output_write(path, "\n", 1, err));
    return CUZK_OK;
}

/* "a_name" as "a name", padded. */
static void print_name(const char *name, int width)
{
    int n = 0;
    for (; name[n] != '\0'; n++)
        putchar(name[n] == '_' ? ' ' : name[n]);
    printf(":%*s", width - n + 1, "");
}

static void print_value(const json_t *value)
{
    if (json_is_string(value))
        fputs(json_string_value(value), stdout);
    else if (json_is_integer(value))
        printf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        printf("%.4g", json_real_value(value));
    else
        fputs(json_is_true(value) ? "yes" : json_is_false(value) ? "no" : "-", stdout);
}

static void print_list(const char *name, int width, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        print_name(i == 0 ? name : "", width);
        print_value(json_array_get(list, i));
        putchar('\n');
    }
}

/* One line per value; a list has a line per element. */
static void print_lines(json_t *report)
{
    int width = 0;
    for (void *i = json_object_iter(report); i != NULL; i = json_object_iter_next(report, i))
        if ((int)strlen(json_object_iter_key(i)) > width)
            width = (int)strlen(json_object_iter_key(i));
    for (void *i = json_object_iter(report); i != NULL; i = json_object_iter_next(report, i)) {
        const json_t *value = json_object_iter_value(i);
        if (json_is_array(value)) {
            print_list(json_object_iter_key(i), width, value);
            continue;
        }
        print_name(json_object_iter_key(i), width);
        print_value(value);
        putchar('\n');
    }
}

cuzk_status cuzk_output_report(json_t *report, bool json, cuzk_error *err)
{
    if (report == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the report");
    cuzk_status status = CUZK_OK;
    if (!json) {
        print_lines(report);
    } else {
        char *text = json_dumps(report, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
        status = text == NULL ? cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the report")
                              : cuzk_output_text("-", text, err);
        free(text);
    }
    json_decref(report);
    return status;
}
