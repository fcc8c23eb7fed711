/* Part of the transforms' text: the launches. Needs the kernels, and
 *     NTT_KERNELS  the table's name */

static unsigned tile_threads(const ntt_pass *pass)
{
    return 1u << (pass->bits + pass->columns - NTT_WINDOW);
}

static unsigned tile_blocks(const ntt_pass *pass)
{
    return 1u << (pass->log_m - pass->bits - pass->columns);
}

static size_t tile_bytes(const ntt_pass *pass)
{
    return sizeof(cuzk_fr) << (pass->bits + pass->columns);
}

static cuzk_status prepare(cuzk_error *err)
{
    const int most = (int)(NTT_MAX_THREADS * NTT_HELD * sizeof(cuzk_fr));
    const cudaFuncAttribute attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
    CUDA_TRY(cudaFuncSetAttribute(ntt_down_kernel, attribute, most));
    CUDA_TRY(cudaFuncSetAttribute(ntt_up_kernel, attribute, most));
    CUDA_TRY(cudaFuncSetAttribute(ntt_middle_kernel, attribute, most));
    CUDA_TRY(cudaFuncSetAttribute(ntt_last_kernel, attribute, most));
    return CUZK_OK;
}

static cuzk_status launch_down(const ntt_pass *pass, cuzk_stream stream, cuzk_error *err)
{
    CUZK_LAUNCH(ntt_down_kernel, tile_blocks(pass), tile_threads(pass), tile_bytes(pass), stream,
                *pass);
    return CUZK_OK;
}

static cuzk_status launch_up(const ntt_pass *pass, cuzk_stream stream, cuzk_error *err)
{
    CUZK_LAUNCH(ntt_up_kernel, tile_blocks(pass), tile_threads(pass), tile_bytes(pass), stream,
                *pass);
    return CUZK_OK;
}

static cuzk_status launch_middle(const ntt_pass *pass, const cuzk_fr *coset, const cuzk_fr *rows,
                                 cuzk_stream stream, cuzk_error *err)
{
    CUZK_LAUNCH(ntt_middle_kernel, tile_blocks(pass), tile_threads(pass), tile_bytes(pass), stream,
                *pass, coset, rows);
    return CUZK_OK;
}

static cuzk_status launch_last(const ntt_pass *pass, const ntt_outcome *outcome, cuzk_stream stream,
                               cuzk_error *err)
{
    CUZK_LAUNCH(ntt_last_kernel, tile_blocks(pass), tile_threads(pass), tile_bytes(pass), stream,
                *pass, *outcome);
    return CUZK_OK;
}

static cuzk_status launch_matrix(cuzk_fr *out, const cuzk_fr *in, const ntt_matrix *matrix,
                                 cuzk_stream stream, cuzk_error *err)
{
    CUZK_LAUNCH(ntt_matrix_kernel, 1, matrix->n, 0, stream, out, in, *matrix);
    return CUZK_OK;
}

static cuzk_status launch_powers(cuzk_fr *out, size_t n, const ntt_powers *powers,
                                 cuzk_stream stream, cuzk_error *err)
{
    CUZK_LAUNCH(ntt_powers_kernel, cuzk_blocks(n, NTT_VECTOR_THREADS), NTT_VECTOR_THREADS, 0,
                stream, out, n, *powers);
    return CUZK_OK;
}

static cuzk_status launch_twist(cuzk_fr *data, const cuzk_fr *low, const cuzk_fr *steps,
                                unsigned low_log, size_t n, cuzk_stream stream, cuzk_error *err)
{
    CUZK_LAUNCH(ntt_twist_kernel, cuzk_blocks(n, NTT_VECTOR_THREADS), NTT_VECTOR_THREADS, 0, stream,
                data, low, steps, low_log, n);
    return CUZK_OK;
}

static cuzk_status launch_product(const ntt_product *product, cuzk_stream stream, cuzk_error *err)
{
    CUZK_LAUNCH(ntt_product_kernel, cuzk_blocks(product->n, NTT_VECTOR_THREADS), NTT_VECTOR_THREADS,
                0, stream, *product);
    return CUZK_OK;
}

static cuzk_status launch_scale(cuzk_fr *r, const cuzk_fr *a, const cuzk_fr *factor, size_t n,
                                cuzk_stream stream, cuzk_error *err)
{
    CUZK_LAUNCH(ntt_scale_kernel, cuzk_blocks(n, NTT_VECTOR_THREADS), NTT_VECTOR_THREADS, 0, stream,
                r, a, *factor, n);
    return CUZK_OK;
}

const ntt_kernels NTT_KERNELS = {
    prepare,       launch_down,   launch_up,    launch_middle,  launch_last,
    launch_matrix, launch_powers, launch_twist, launch_product, launch_scale,
};
