/* Folders of files that can be made again, one for each purpose: $XDG_CACHE_HOME/cuzk/NAME, or
 * ~/.cache/cuzk/NAME. */
#ifndef CUZK_BASE_CACHE_FOLDER_H
#define CUZK_BASE_CACHE_FOLDER_H

#include <stdbool.h>

#define CUZK_CACHE_PATH_SIZE 4096

/* Writes the folder's path. false: there is none, as CUZK_NO_CACHE is 1, or neither variable is an
 * absolute path, or, with make, it cannot be made. make: it and what leads to it, mode 0700. */
bool cuzk_cache_folder(char path[CUZK_CACHE_PATH_SIZE], const char *name, bool make);

/* A descriptor of the folder if nobody but this user may write to it, else -1. Closed by the
 * caller. */
int cuzk_cache_folder_open(const char *path);

#endif
