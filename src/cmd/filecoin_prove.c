#include "cmd/filecoin_prove.h"

#include "cmd/output.h"

void cuzk_report_hex_32(json_t *report, const char *name, const void *bytes)
{
    json_object_set_new(report, name, json_string(cuzk_hex_32_write(bytes).text));
}

error_t cuzk_vanilla_parse(int key, char *arg, struct argp_state *state)
{
    cuzk_vanilla_arguments *a = state->input;
    switch (key) {
    case 'o':
        a->output = arg;
        return 0;
    case ARGP_KEY_SUCCESS:
        if (a->output == NULL)
            argp_error(state, "--output is missing");
        return 0;
    default:
        return cuzk_positionals_parse(&a->folders, key, arg, state);
    }
}

static cuzk_status run_with(cuzk_vanilla_arguments *a, cuzk_vanilla_fn *fn, cuzk_pool *pool,
                            cuzk_error *err)
{
    cuzk_sector_folder folder = {0};
    cuzk_status status = cuzk_sector_folder_open(&folder, a->folders.value[0], pool, err);
    json_t *report = json_object();
    if (status == CUZK_OK)
        status = fn(a, &folder, report, pool, err);
    if (status == CUZK_OK && !cuzk_output_is_stdout(a->output))
        status = cuzk_output_report(report, a->common->json, err);
    else
        json_decref(report);
    cuzk_sector_folder_release(&folder);
    return status;
}

cuzk_status cuzk_vanilla_run(cuzk_vanilla_arguments *a, const cuzk_usage *usage, int argc,
                             char **argv, cuzk_vanilla_fn *fn, cuzk_error *err)
{
    cuzk_pool *pool;
    a->folders.least = a->folders.most = 1;
    cuzk_usage_parse(usage, argc, argv, a->common, a);
    CUZK_TRY(cuzk_common_pool(a->common, &pool, err));
    cuzk_status status = run_with(a, fn, pool, err);
    cuzk_pool_free(pool);
    return status;
}
