/* The table of configuration keys. */
#ifndef CUZK_SERVER_CONFIG_KEYS_H
#define CUZK_SERVER_CONFIG_KEYS_H

#include "server/config.h"

typedef enum cuzk_config_type {
    CUZK_CONFIG_TEXT,     /* char * */
    CUZK_CONFIG_TEXTS,    /* cuzk_texts; one text stands for a list of it */
    CUZK_CONFIG_NUMBER,   /* uint64_t, as those below */
    CUZK_CONFIG_SIZE,     /* bytes: 1073741824, "1GiB", "1.5 GB" */
    CUZK_CONFIG_DURATION, /* milliseconds: 90 (seconds), "250ms", "1.5h" */
    CUZK_CONFIG_WORD,     /* which of the words */
    CUZK_CONFIG_FLAG,     /* bool */
    CUZK_CONFIG_NUMBERS,  /* cuzk_numbers; LIVE only */
} cuzk_config_type;

typedef enum cuzk_config_use {
    CUZK_CONFIG_LIVE,
    CUZK_CONFIG_INERT, /* read and checked for the sake of files that have it; note says why it does
                          nothing */
} cuzk_config_use;

typedef struct cuzk_config_key {
    const char *name;
    cuzk_config_type type;
    size_t offset;       /* in cuzk_config; LIVE only */
    const char *initial; /* the default, in TOML; LIVE only */
    const char *words;   /* WORD: "full|process" in order. NUMBERS: one in place of a list. SIZE,
                            DURATION, NUMBER: one that stands for   special */
    uint64_t special;
    cuzk_config_use use;
    const char *note; /* a line for people */
} cuzk_config_key;

extern const cuzk_config_key cuzk_config_keys[];
extern const size_t cuzk_config_keys_count;

/* NULL: there is none. */
const cuzk_config_key *cuzk_config_key_find(const char *name);
/* The known key or section that is most like name; NULL: none is. */
const char *cuzk_config_key_suggest(const char *name);
bool cuzk_config_has_section(const char *name);

#endif
