#include "api/vk_load.h"
#include "cmd/command.h"
#include "cmd/output.h"
#include "iden3/json.h"

#include <stdio.h>
#include <stdlib.h>

struct arguments {
    cuzk_positionals files; /* key */
    const char *output;
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Write to FILE (default, and \"-\": standard output)", 0}, {0}};

static const char doc[] = "Writes the verification key that is inside KEY (.zkey, .params or "
                          "bellperson .vk) as snarkjs JSON.\v"
                          "Example:\n"
                          "  cuzk export-vk circuit.zkey -o verification_key.json";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case 'o':
        a->output = arg;
        return 0;
    default:
        return cuzk_positionals_parse(&a->files, key, arg, state);
    }
}

static cuzk_status export_map(const cuzk_map *map, const char *output, cuzk_error *err)
{
    cuzk_vk vk;
    char *text = NULL;
    CUZK_TRY(cuzk_vk_load(&vk, map, err));
    /* Who verifies decides about trust: a key whose phase 2 was never run is exported, but with a
     * word. */
    cuzk_status status = cuzk_vk_check(&vk, true, cuzk_map_name(map), err);
    if (status == CUZK_OK && cuzk_vk_check(&vk, false, cuzk_map_name(map), err) != CUZK_OK)
        fprintf(stderr, "cuzk: warning: %s\n", err->message);
    if (status == CUZK_OK)
        status = cuzk_json_write_vk(&text, &vk, err);
    if (status == CUZK_OK)
        status = cuzk_output_text(output, text, err);
    free(text);
    cuzk_vk_release(&vk);
    return status;
}

static cuzk_status run(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    const cuzk_usage usage = {
        .options = options, .parser = parse, .args_doc = "KEY", .doc = doc, .json_only = true};
    struct arguments arguments = {.files = {.least = 1, .most = 1}, .output = "-"};
    cuzk_usage_parse(&usage, argc, argv, common, &arguments);
    cuzk_map *map;
    CUZK_TRY(cuzk_map_open(&map, arguments.files.value[0], err));
    cuzk_status status = export_map(map, arguments.output, err);
    cuzk_map_close(map);
    return status;
}

const cuzk_command cuzk_command_export_vk = {
    .name = "export-vk", .summary = "write a key's verification key as JSON", .run = run};
