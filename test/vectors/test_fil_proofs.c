/* The table of registered proofs: names, parameter files, sizes, as published. */
#include "support/fixtures.h"

#include "circuit/filecoin/proofs.h"

static cuzk_error err;

/* SHA-256 in the file name, digests of .params and .vk: PoRep, SnapDeals, Window, Winning. */
static const char *const published[4][CUZK_FIL_SIZES][3] = {
    {
        {"032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f",
         "434fb1338ecfaf0f59256f30dde4968f", "dc1ade9929ade1708238f155343044ac"},
        {"ecd683648512ab1765faa2a5f14bab48f676e633467f0aa8aad4b55dcb0652bb",
         "09e612e4eeb7a0eb95679a88404f960c", "b687beb9adbd9dabe265a7e3620813e4"},
        {"6babf46ce344ae495d558e7770a585b2382d54f225af8ed0397b8be7c3fcd472",
         "6c77597eb91ab936c1cef4cf19eba1b3", "065179da19fbe515507267677f02823e"},
        {"82a357d2f2ca81dc61bb45f4a762807aedee1b0a53fd6c4e77b46a01bfef7820",
         "6a388072a518cf46ebd661f5cc46900a", "0c7b4aac1c40fdb7eb82bc355b41addf"},
        {"96f1b4a04c5c51e4759bbf224bbc2ef5a42c7100f16ec0637123f16a845ddfb2",
         "1801f8a6e1b00bceb00cc27314bb5ce3", "a89884252c04c298d0b3c81bfd884164"},
    },
    {
        {"fb9e095bebdd77511c0269b967b4d87ba8b8a525edaa0e165de23ba454510194",
         "311f92a3e75036ced01b1c0025f1fa0c", "eadad9784969890d30f2749708c79771"},
        {"92180959e1918d26350b8e6cfe217bbdd0a2d8de51ebec269078b364b715ad63",
         "5aedd2cf3e5c0a15623d56a1b43110ad", "abd80269054d391a734febdac0d2e687"},
        {"61fa69f38b9cc771ba27b670124714b4ea77fbeae05e377fb859c4a43b73a30c",
         "c3ad7bb549470b82ad52ed070aebb4f4", "994c5b7d450ca9da348c910689f2dc7f"},
        {"3b7f44a9362e3985369454947bc94022e118211e49fd672d52bec1cbfd599d18",
         "1b3cfd761a961543f9eb273e435a06a2", "3a6941983754737fde880d29c7094905"},
        {"102e1444a7e9a97ebf1e3d6855dcc77e66c011ea66f936d9b2c508f87f2f83a7",
         "1a392e7b759fb18e036c7559b5ece816", "80e366df2f1011953c2d01c7b7c9ee8e"},
    },
    {
        {"0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0",
         "7610b9f82bfc88405b7a832b651ce2f6", "0e0958009936b9d5e515ec97b8cb792d"},
        {"5294475db5237a2e83c3e52fd6c2b03859a1831d45ed08c4f35dbf9a803165a9",
         "c49499bb76a0762884896f9683403f55", "34d4feeacd9abf788d69ef1bb4d8fd00"},
        {"0cfb4f178bbb71cf2ecfcd42accce558b27199ab4fb59cb78f2483fe21ef36d9",
         "1a7d4a9c8a502a497ed92a54366af33f", "4dae975de4f011f101f5a2f86d1daaba"},
        {"0377ded656c6f524f1618760bffe4e0a1c51d5a70c4509eedae8a27555733edc",
         "2cf49eb26f1fee94c85781a390ddb4c8", "0f8ec542485568fa3468c066e9fed82b"},
        {"2627e4006b67f99cef990c0a47d5426cb7ab0a0ad58fc1061547bf2d28b09def",
         "3810b7780ac0e299b22ae70f1f94c9bc", "59d2bf1857adc59a4f08fcf2afaa916b"},
    },
    {
        {"3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e",
         "82c88066be968bb550a05e30ff6c2413", "ffd79788d614d27919ae5bd2d94eacb6"},
        {"50c7368dea9593ed0989e70974d28024efa9d156d585b7eea1be22b2e753f331",
         "700171ecf7334e3199437c930676af82", "79ebb55f56fda427743e35053edad8fc"},
        {"7d739b8cf60f1b0709eeebee7730e297683552e4b69cab6984ec0285663c5781",
         "827359440349fe8f5a016e7598993b79", "bd2cd62f65c1ab84f19ca27e97b7c731"},
        {"559e581f022bb4e4ec6e719e563bf0e026ad6de42e56c18714a2c692b1b88d7e",
         "d84f79a16fe40e9e25a36e2107bb1ba0", "fc02943678dd119e69e7fab8420e8819"},
        {"b62098629d07946e9028127e70295ed996fe3ed25b0f9f88eb610a0ab4385a3c",
         "2170a91ad5bae22ea61f2ea766630322", "6d3789148fb6466d07ee1e24d6292fd6"},
    },
};

static const char *const name_of_kind[] = {
    "v28-stacked-proof-of-replication-",
    "v28-empty-sector-update-",
    "v28-proof-of-spacetime-fallback-",
    "v28-proof-of-spacetime-fallback-",
};

static const struct family {
    cuzk_fil_kind kind;
    unsigned first, last;
} families[] = {
    {CUZK_FIL_POREP, 0, 19},
    {CUZK_FIL_SNAP, 0, 4},
    {CUZK_FIL_WINDOW, 5, 14},
    {CUZK_FIL_WINNING, 0, 4},
};

static cuzk_fil_proof get(cuzk_fil_kind kind, unsigned id)
{
    cuzk_fil_proof proof;
    assert_ok(cuzk_fil_proof_get(&proof, kind, id, &err));
    return proof;
}

static void test_parameter_names(void **state)
{
    (void)state;
    static const char *const tree[] = {"8-0-0", "8-0-0", "8-0-0", "8-8-0", "8-8-2"};
    size_t tried = 0;
    for (size_t f = 0; f < 4; f++)
        for (unsigned id = families[f].first; id <= families[f].last; id++, tried++) {
            cuzk_fil_proof proof = get(families[f].kind, id);
            const char *const *expected = published[f][id % 5];
            char name[256];
            snprintf(name, sizeof name, "%smerkletree-poseidon_hasher-%s%s-%s", name_of_kind[f],
                     tree[id % 5], f == 0 ? "-sha256_hasher" : "", expected[0]);
            cuzk_fil_params params;
            assert_ok(cuzk_fil_params_get(&params, &proof, &err));
            assert_string_equal(params.name, name);
            assert_string_equal(params.params_digest, expected[1]);
            assert_string_equal(params.vk_digest, expected[2]);
        }
    assert_int_equal(tried, 40);
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(get(CUZK_FIL_POREP, 0).name, "StackedDrg2KiBV1");
    assert_string_equal(get(CUZK_FIL_POREP, 8).name, "StackedDrg32GiBV1_1");
    assert_string_equal(get(CUZK_FIL_POREP, 11).name, "StackedDrg8MiBV1_1_Feat_SyntheticPoRep");
    assert_string_equal(get(CUZK_FIL_POREP, 19).name,
                        "StackedDrg64GiBV1_2_Feat_NonInteractivePoRep");
    assert_string_equal(get(CUZK_FIL_SNAP, 2).name, "StackedDrg512MiBV1");
    assert_string_equal(get(CUZK_FIL_WINDOW, 8).name, "StackedDrgWindow32GiBV1");
    assert_string_equal(get(CUZK_FIL_WINDOW, 13).name, "StackedDrgWindow32GiBV1_1");
    assert_string_equal(get(CUZK_FIL_WINNING, 4).name, "StackedDrgWinning64GiBV1");
    assert_string_equal(get(CUZK_FIL_POREP, 18).circuit, "porep-32g");
    assert_string_equal(get(CUZK_FIL_WINDOW, 7).circuit, "window-512m");
    assert_string_equal(get(CUZK_FIL_WINNING, 0).circuit, "winning-2k");
    assert_string_equal(get(CUZK_FIL_SNAP, 1).circuit, "update-8m");
}

static void test_figures(void **state)
{
    (void)state;
    static const unsigned levels[] = {2, 6, 8, 10, 11};
    for (size_t f = 0; f < 4; f++)
        for (unsigned id = families[f].first; id <= families[f].last; id++) {
            cuzk_fil_proof p = get(families[f].kind, id);
            assert_int_equal(p.nodes * 32, p.sector_bytes);
            assert_int_equal(cuzk_shape_leaves(&p.tree), p.nodes);
            assert_int_equal(cuzk_shape_leaves(&p.data), p.nodes);
            assert_int_equal(cuzk_shape_levels(&p.tree), levels[id % 5]);
        }
    cuzk_fil_proof p = get(CUZK_FIL_POREP, 18);
    assert_int_equal(p.partitions, 126);
    assert_int_equal(p.challenges, 18);
    assert_int_equal(p.layers, 11);
    assert_int_equal(p.rule, CUZK_POREP_NON_INTERACTIVE);
    assert_int_equal(p.porep_id[0], 18);
    assert_int_equal(get(CUZK_FIL_POREP, 15).partitions, 13);
    assert_int_equal(get(CUZK_FIL_POREP, 3).partitions, 10);
    assert_int_equal(get(CUZK_FIL_POREP, 12).rule, CUZK_POREP_SYNTHETIC);
    p = get(CUZK_FIL_SNAP, 3);
    assert_int_equal(p.partitions, 16);
    assert_int_equal(p.partition_bits, 4);
    assert_int_equal(p.h_bits[3], 10);
    assert_int_equal(p.h_select, 8);
    assert_int_equal(get(CUZK_FIL_SNAP, 0).h_select, 1);
    assert_int_equal(get(CUZK_FIL_SNAP, 1).partition_bits, 2);
    assert_int_equal(get(CUZK_FIL_WINDOW, 14).sectors, 2300);
    assert_int_equal(get(CUZK_FIL_WINDOW, 14).api, CUZK_FIL_V1_2);
    assert_int_equal(get(CUZK_FIL_WINDOW, 8).api, CUZK_FIL_V1_0);
}

static void check_counts(cuzk_fil_kind kind, unsigned id, size_t inputs, size_t aux, size_t rows)
{
    cuzk_fil_proof proof = get(kind, id);
    cuzk_fil_counts counts = cuzk_fil_counts_get(&proof);
    assert_int_equal(counts.inputs, inputs);
    assert_int_equal(counts.aux, aux);
    assert_int_equal(counts.rows, rows);
}

/* Sections 7, 8 and 9. */
static void test_counts(void **state)
{
    (void)state;
    check_counts(CUZK_FIL_WINDOW, 8, 25840, 126902376, 125279217);
    check_counts(CUZK_FIL_WINDOW, 14, 25301, 131500200, 129887900);
    check_counts(CUZK_FIL_WINDOW, 5, 23, 22128, 21866);
    check_counts(CUZK_FIL_WINNING, 3, 133, 375210, 370590);
    check_counts(CUZK_FIL_WINNING, 4, 133, 396000, 391314);
    check_counts(CUZK_FIL_WINNING, 0, 133, 91674, 90750);
    check_counts(CUZK_FIL_POREP, 8, 328, 130169893, 130278869 - 328);
    check_counts(CUZK_FIL_POREP, 15, 40, 2685673, 2687961 - 40);
    check_counts(CUZK_FIL_SNAP, 3, 5, 80978488, 81049499);
}

static void test_unknown(void **state)
{
    (void)state;
    cuzk_fil_proof proof;
    assert_refused(cuzk_fil_proof_get(&proof, CUZK_FIL_POREP, 20, &err), CUZK_ERR_ARGUMENT,
                   "registered proof 20 is not one of PoRep: expected 0 to 19");
    assert_refused(cuzk_fil_proof_get(&proof, CUZK_FIL_WINDOW, 4, &err), CUZK_ERR_ARGUMENT,
                   "expected 5 to 14");
    assert_refused(cuzk_fil_proof_get(&proof, CUZK_FIL_WINNING, 5, &err), CUZK_ERR_ARGUMENT,
                   "WinningPoSt");
    assert_refused(cuzk_fil_proof_get(&proof, (cuzk_fil_kind)0, 0, &err), CUZK_ERR_ARGUMENT,
                   "kind 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameter_names), cmocka_unit_test(test_names),
        cmocka_unit_test(test_figures),         cmocka_unit_test(test_counts),
        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
