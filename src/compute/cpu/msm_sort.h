/* From scalars to entries sorted by (window, bucket). Tiles of four phases; each ends before the
 * next. */
#ifndef CUZK_COMPUTE_MSM_SORT_H
#define CUZK_COMPUTE_MSM_SORT_H

#include "compute/cpu/msm_plan.h"

/* 1. Once: counts the wide scalars; then (cuzk_msm_state_place between) drops zeros and infinite
 * points, puts ones apart, replaces s > r/2 by -(r - s). */
size_t cuzk_msm_classify_tiles(const cuzk_msm_state *s);
void cuzk_msm_count_wide(cuzk_msm_state *s, size_t tile);
void cuzk_msm_classify(cuzk_msm_state *s, size_t tile);

/* Once, when the windows are chosen: adds 2^(c-1) in every window but the highest, which makes the
 * digits of a window its bits less 2^(c-1). The same tiles as classify. */
void cuzk_msm_bias(cuzk_msm_state *s, size_t tile);

/* 2. Counts the entries of each bucket, per chunk. */
size_t cuzk_msm_sort_tiles(const cuzk_msm_state *s);
void cuzk_msm_count(cuzk_msm_state *s, size_t tile);

/* 3. Per window: where each bucket starts in it. */
void cuzk_msm_prefix(cuzk_msm_state *s, unsigned window);

/* Between: where each window starts. Not a tile. */
void cuzk_msm_place_windows(cuzk_msm_state *s);

/* 4. Writes the entries. The same tiles as count. */
void cuzk_msm_scatter(cuzk_msm_state *s, size_t tile);

#endif
