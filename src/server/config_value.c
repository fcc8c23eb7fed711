#include "server/config_value.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct unit {
    const char *name;
    uint64_t factor;
};

/* Largest first of those that print. */
static const struct unit sizes[] = {
    {"TiB", (uint64_t)1 << 40},
    {"GiB", (uint64_t)1 << 30},
    {"MiB", (uint64_t)1 << 20},
    {"KiB", (uint64_t)1 << 10},
    {"TB", 1000000000000},
    {"GB", 1000000000},
    {"MB", 1000000},
    {"KB", 1000},
    {"B", 1},
    {"", 1},
    {NULL, 0},
};
static const struct unit durations[] = {
    {"h", 3600000}, {"m", 60000}, {"s", 1000}, {"ms", 1}, {"", 1000}, {NULL, 0},
};

/* whole and fraction times the unit; nothing that is not exact to the unit's last digit is asked
 * for, so that a fraction rounds down. */
static bool scale(uint64_t whole, double fraction, const struct unit *units, const char *name,
                  uint64_t *out)
{
    for (; units->name != NULL; units++) {
        if (strcmp(units->name, name) != 0)
            continue;
        if (whole > (uint64_t)INT64_MAX / units->factor - 1)
            return false;
        *out = whole * units->factor + (uint64_t)(fraction * (double)units->factor);
        return true;
    }
    return false;
}

static bool parse_amount(const char *text, const struct unit *units, uint64_t *out)
{
    uint64_t whole = 0;
    double fraction = 0, place = 1;
    const char *at = text;
    if (!isdigit((unsigned char)*at))
        return false;
    for (; isdigit((unsigned char)*at); at++) {
        if (whole > (uint64_t)INT64_MAX / 10 - 1)
            return false;
        whole = whole * 10 + (uint64_t)(*at - '0');
    }
    if (*at == '.') {
        at++;
        if (!isdigit((unsigned char)*at))
            return false;
        for (; isdigit((unsigned char)*at); at++)
            fraction += (double)(*at - '0') * (place /= 10);
    }
    while (*at == ' ')
        at++;
    return scale(whole, fraction, units, at, out);
}

bool cuzk_config_parse_size(const char *text, uint64_t *out)
{
    return parse_amount(text, sizes, out);
}

bool cuzk_config_parse_duration(const char *text, uint64_t *out)
{
    return parse_amount(text, durations, out);
}

void cuzk_texts_release(cuzk_texts *texts)
{
    for (size_t i = 0; i < texts->n; i++)
        free(texts->text[i]);
    free(texts->text);
    *texts = (cuzk_texts){0};
}

static const char *expected(const cuzk_config_key *key)
{
    switch (key->type) {
    case CUZK_CONFIG_TEXT:
        return "a text in quotes";
    case CUZK_CONFIG_TEXTS:
        return "a text in quotes or a list of them";
    case CUZK_CONFIG_NUMBER:
        return "a whole number from 0";
    case CUZK_CONFIG_SIZE:
        return "a size such as \"5GiB\" or \"1.5 GB\" (KiB MiB GiB TiB KB MB GB TB) or a number of "
               "bytes";
    case CUZK_CONFIG_DURATION:
        return "a duration such as \"5m\" (ms s m h) or a number of seconds";
    case CUZK_CONFIG_WORD:
        return "one word";
    case CUZK_CONFIG_FLAG:
        return "true or false";
    case CUZK_CONFIG_NUMBERS:
        return "a list of whole numbers from 0";
    }
    return "";
}

static cuzk_status fail_value(const cuzk_config_key *key, const cuzk_toml_value *value,
                              const char *place, cuzk_error *err)
{
    const char *text = value->kind == CUZK_TOML_TEXT ? value->text : NULL;
    return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: %s: %s%.100s%sexpected %s%s%s", place, key->name,
                     text != NULL ? "\"" : "", text != NULL ? text : "", text != NULL ? "\"; " : "",
                     expected(key), key->words != NULL ? ": " : "",
                     key->words != NULL ? key->words : "");
}

/* Which of "a|b|c" it is; -1: none. */
static int find_word(const char *words, const char *text)
{
    size_t length = strlen(text);
    int which = 0;
    for (const char *at = words; at != NULL; which++) {
        if (strcspn(at, "|") == length && strncmp(at, text, length) == 0)
            return which;
        at = strchr(at, '|');
        at = at == NULL ? NULL : at + 1;
    }
    return -1;
}

static bool get_number(const cuzk_config_key *key, const cuzk_toml_value *value, uint64_t *out)
{
    bool is_text = value->kind == CUZK_TOML_TEXT;
    if (key->type == CUZK_CONFIG_WORD && !is_text)
        return false;
    if (is_text && key->words != NULL) {
        int which = find_word(key->words, value->text);
        *out = key->type == CUZK_CONFIG_WORD ? (uint64_t)which : key->special;
        if (which >= 0 || key->type == CUZK_CONFIG_WORD)
            return which >= 0;
    }
    if (is_text && key->type == CUZK_CONFIG_SIZE)
        return cuzk_config_parse_size(value->text, out);
    if (is_text && key->type == CUZK_CONFIG_DURATION)
        return cuzk_config_parse_duration(value->text, out);
    uint64_t unit = key->type == CUZK_CONFIG_DURATION ? 1000 : 1;
    if (value->kind != CUZK_TOML_INTEGER || value->integer < 0 ||
        (uint64_t)value->integer > (uint64_t)INT64_MAX / unit)
        return false;
    *out = (uint64_t)value->integer * unit;
    return true;
}

static cuzk_status put_text(char **field, const char *text, const char *place, cuzk_error *err)
{
    char *copy = strdup(text);
    if (copy == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory", place);
    free(*field);
    *field = copy;
    return CUZK_OK;
}

static cuzk_status append_text(cuzk_texts *texts, const char *text, const char *place,
                               cuzk_error *err)
{
    char **grown = realloc(texts->text, (texts->n + 1) * sizeof *grown);
    if (grown == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory", place);
    texts->text = grown;
    texts->text[texts->n] = NULL;
    CUZK_TRY(put_text(&texts->text[texts->n], text, place, err));
    texts->n++;
    return CUZK_OK;
}

static cuzk_status put_texts(cuzk_texts *texts, const cuzk_config_key *key,
                             const cuzk_toml_value *value, const char *place, cuzk_error *err)
{
    if (!value->in_list && texts != NULL)
        cuzk_texts_release(texts);
    if (value->kind == CUZK_TOML_LIST)
        return CUZK_OK;
    if (value->kind != CUZK_TOML_TEXT)
        return fail_value(key, value, place, err);
    return texts == NULL ? CUZK_OK : append_text(texts, value->text, place, err);
}

static cuzk_status put_numbers(cuzk_numbers *numbers, const cuzk_config_key *key,
                               const cuzk_toml_value *value, const char *place, cuzk_error *err)
{
    uint64_t number;
    const bool is_word = value->kind == CUZK_TOML_TEXT && find_word(key->words, value->text) == 0;
    if (!value->in_list && (is_word || value->kind == CUZK_TOML_LIST)) {
        *numbers = (cuzk_numbers){.is_auto = is_word};
        return CUZK_OK;
    }
    if (!value->in_list || value->kind == CUZK_TOML_TEXT || !get_number(key, value, &number))
        return fail_value(key, value, place, err);
    if (numbers->n == CUZK_NUMBERS_MAX)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: %s: more than %u numbers", place, key->name,
                         CUZK_NUMBERS_MAX);
    numbers->number[numbers->n++] = number;
    return CUZK_OK;
}

cuzk_status cuzk_config_put(cuzk_config *config, const cuzk_config_key *key,
                            const cuzk_toml_value *value, const char *place, cuzk_error *err)
{
    void *field = key->use == CUZK_CONFIG_LIVE ? (char *)config + key->offset : NULL;
    uint64_t number = 0;
    if (key->type == CUZK_CONFIG_TEXTS)
        return put_texts(field, key, value, place, err);
    if (key->type == CUZK_CONFIG_NUMBERS)
        return put_numbers(field, key, value, place, err);
    if (value->kind == CUZK_TOML_LIST || value->in_list)
        return fail_value(key, value, place, err);
    if (key->type == CUZK_CONFIG_TEXT) {
        if (value->kind != CUZK_TOML_TEXT)
            return fail_value(key, value, place, err);
        return field == NULL ? CUZK_OK : put_text(field, value->text, place, err);
    }
    if (key->type == CUZK_CONFIG_FLAG) {
        if (value->kind != CUZK_TOML_FLAG)
            return fail_value(key, value, place, err);
        if (field != NULL)
            *(bool *)field = value->flag;
        return CUZK_OK;
    }
    if (!get_number(key, value, &number))
        return fail_value(key, value, place, err);
    if (field != NULL)
        memcpy(field, &number, sizeof number);
    return CUZK_OK;
}

static void print_text(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 32 || c == 127)
            fprintf(out, "\\u%04x", c);
        else
            putc(c, out);
    }
    putc('"', out);
}

static void print_texts(FILE *out, const cuzk_texts *texts)
{
    putc('[', out);
    for (size_t i = 0; i < texts->n; i++) {
        fputs(i == 0 ? "" : ", ", out);
        print_text(out, texts->text[i]);
    }
    putc(']', out);
}

static void print_numbers(FILE *out, const cuzk_numbers *numbers, const char *word)
{
    if (numbers->is_auto) {
        print_text(out, word);
        return;
    }
    putc('[', out);
    for (size_t i = 0; i < numbers->n; i++)
        fprintf(out, "%s%" PRIu64, i == 0 ? "" : ", ", numbers->number[i]);
    putc(']', out);
}

static void print_amount(FILE *out, uint64_t amount, const struct unit *units)
{
    while (units->factor > 1 && (amount == 0 || amount % units->factor != 0))
        units++;
    fprintf(out, "\"%" PRIu64 "%s\"", amount / units->factor, units->name);
}

static void print_word(FILE *out, const char *words, uint64_t which)
{
    for (; which > 0; which--)
        words = strchr(words, '|') + 1;
    fprintf(out, "\"%.*s\"", (int)strcspn(words, "|"), words);
}

void cuzk_config_print_value(FILE *out, const cuzk_config *config, const cuzk_config_key *key)
{
    const void *field = (const char *)config + key->offset;
    uint64_t number = 0;
    if (key->type == CUZK_CONFIG_TEXT) {
        print_text(out, *(char *const *)field);
        return;
    }
    if (key->type == CUZK_CONFIG_TEXTS) {
        print_texts(out, field);
        return;
    }
    if (key->type == CUZK_CONFIG_NUMBERS) {
        print_numbers(out, field, key->words);
        return;
    }
    if (key->type == CUZK_CONFIG_FLAG) {
        fputs(*(const bool *)field ? "true" : "false", out);
        return;
    }
    memcpy(&number, field, sizeof number);
    if (key->type == CUZK_CONFIG_WORD)
        print_word(out, key->words, number);
    else if (key->words != NULL && number == key->special)
        print_word(out, key->words, 0);
    else if (key->type == CUZK_CONFIG_SIZE)
        print_amount(out, number, sizes);
    else if (key->type == CUZK_CONFIG_DURATION)
        print_amount(out, number, durations);
    else
        fprintf(out, "%" PRIu64, number);
}
