/* The stable words of engine/types.h. */
#include "engine/types.h"

#define NAME_OF(names, i) ((size_t)(i) < sizeof(names) / sizeof *(names) ? (names)[i] : "unknown")

const char *cuzk_kind_name(cuzk_kind kind)
{
    static const char *const names[] = {"unknown",     "porep-c2",     "snap-update",
                                        "window-post", "winning-post", "circuit"};
    return NAME_OF(names, kind);
}

const char *cuzk_kind_label(cuzk_kind kind)
{
    static const char *const names[] = {"unknown",     "porep_c2",     "snap_update",
                                        "window_post", "winning_post", "circuit"};
    return NAME_OF(names, kind);
}

const char *cuzk_class_name(cuzk_class class_)
{
    static const char *const names[] = {"critical", "high", "normal", "low"};
    return NAME_OF(names, class_);
}

const char *cuzk_job_state_name(cuzk_job_state state)
{
    static const char *const names[] = {"received", "accepted",  "parsing",
                                        "running",  "verifying", "completed",
                                        "failed",   "cancelled", "expired"};
    return NAME_OF(names, state);
}

const char *cuzk_part_state_name(cuzk_part_state state)
{
    static const char *const names[] = {"wait_input", "ready",     "admitted",  "synth",
                                        "staged",     "uploading", "computing", "finishing",
                                        "checked",    "failed",    "cancelled"};
    return NAME_OF(names, state);
}

const char *cuzk_device_state_name(cuzk_device_state state)
{
    static const char *const names[] = {"BUSY",
                                        "IDLE_NO_JOB",
                                        "IDLE_WAIT_PARSE",
                                        "IDLE_WAIT_SYNTH",
                                        "IDLE_WAIT_BUDGET",
                                        "IDLE_WAIT_KEY",
                                        "IDLE_WAIT_UPLOAD",
                                        "IDLE_HOST_GAP",
                                        "IDLE_DRAIN",
                                        "IDLE_FAULT"};
    return NAME_OF(names, state);
}

const char *cuzk_memory_owner_name(cuzk_memory_owner owner)
{
    static const char *const names[] = {"payload", "input", "witness", "key", "pool", "result"};
    return NAME_OF(names, owner);
}
