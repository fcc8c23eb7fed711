/* Part of ntt_tmpl.h: transforms too short for lanes, one element at a time. */

#define NTT_SMALL ((size_t)1 << (NTT_SMALL_LOG - 1))

static size_t reverse_bits(size_t x, unsigned bits)
{
    size_t r = 0;
    for (unsigned i = 0; i < bits; i++)
        r |= (x >> i & 1) << (bits - 1 - i);
    return r;
}

/* Radix 2, decimation in time, over bit-reversed x. */
static void transform_radix2(cuzk_fr *x, unsigned log_m, const cuzk_fr *omega)
{
    const size_t m = (size_t)1 << log_m;
    for (size_t half = 1; half < m; half *= 2) {
        cuzk_fr root, w, t;
        power(&root, omega, m / (2 * half));
        FR(set_one)(&w);
        for (size_t j = 0; j < half; j++) {
            for (size_t i = j; i < m; i += 2 * half) {
                FR(mul)(&t, &x[i + half], &w);
                FR(sub)(&x[i + half], &x[i], &t);
                FR(add)(&x[i], &x[i], &t);
            }
            FR(mul)(&w, &w, &root);
        }
    }
}

static void transform_small(const task *t)
{
    const unsigned log_m = t->plan->base.log_m;
    const size_t m = t->plan->m;
    cuzk_fr x[NTT_SMALL], scale, step, factor, y;
    whole_factor(&factor, t, 0);
    FR(set_one)(&step);
    if (t->coset != NULL)
        step = *t->coset;
    if (t->inverse)
        FR(inv_var)(&step, &step);
    FR(set_one)(&scale);
    for (size_t i = 0; i < m; i++) {
        y = t->source[i];
        if (t->times_source != NULL)
            FR(mul)(&y, &y, &t->times_source[i]);
        if (!t->inverse) {
            FR(mul)(&y, &y, &scale);
            FR(mul)(&scale, &scale, &step);
        }
        x[reverse_bits(i, log_m)] = y;
    }
    transform_radix2(x, log_m, &t->plan->omega[t->inverse]);
    for (size_t k = 0; k < m; k++) {
        FR(mul)(&y, &x[k], &factor);
        if (t->inverse) {
            FR(mul)(&y, &y, &scale);
            FR(mul)(&scale, &scale, &step);
        }
        if (t->times_target != NULL) {
            FR(mul)(&y, &y, &t->times_target[k]);
            FR(sub)(&y, &y, &t->target[k]);
        }
        t->target[k] = y;
    }
}
