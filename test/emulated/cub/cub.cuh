/* The device-wide algorithms of CUB that the project uses, on the host: see cuda_runtime.h. As with
 * CUB, a call without temporary storage only sets how much it needs; that storage is overwritten.
 * Work is enqueued like a kernel. */
#ifndef CUZK_TEST_EMULATED_CUB_CUH
#define CUZK_TEST_EMULATED_CUB_CUH

#include <cuda_runtime.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace cub
{

/* Two buffers, of which one holds the data: the selector says which. */
template <class T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector;
    DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate}, selector(0)
    {
    }
    T *Current()
    {
        return d_buffers[selector];
    }
    T *Alternate()
    {
        return d_buffers[selector ^ 1];
    }
};

template <class T> struct CountingInputIterator {
    T first;
    explicit CountingInputIterator(T first_) : first(first_)
    {
    }
    T operator[](size_t i) const
    {
        return (T)(first + (T)i);
    }
};

namespace emulated
{

enum { TEMP_BYTES = 4096, SCRIBBLE = 0x3c };

/* The protocol of temporary storage; work is what the call does. */
static inline cudaError_t run(const char *name, void *temp, size_t &temp_bytes, cudaStream_t stream,
                              std::function<void()> work)
{
    if (temp == NULL) {
        temp_bytes = TEMP_BYTES;
        return cudaSuccess;
    }
    if (temp_bytes < TEMP_BYTES)
        return cudaErrorInvalidValue;
    return cuzk_emulated_enqueue(name, stream, [temp, work]() {
        memset(temp, SCRIBBLE, TEMP_BYTES);
        work();
    });
}

/* The bits of a key that count, as an unsigned number in the order of the keys. */
template <class K> static inline uint64_t key_bits(K key, int begin, int end)
{
    static_assert(std::is_unsigned<K>::value, "unsigned keys only");
    uint64_t bits = (uint64_t)key >> begin;
    int n = end - begin;
    return n >= 64 ? bits : bits & (((uint64_t)1 << n) - 1);
}

template <class K, class V>
static inline void sort(const K *keys, K *keys_out, const V *values, V *values_out, size_t n,
                        int begin, int end, bool descending)
{
    std::vector<size_t> order(n);
    std::iota(order.begin(), order.end(), (size_t)0);
    std::stable_sort(order.begin(), order.end(), [=](size_t a, size_t b) {
        uint64_t x = key_bits(keys[a], begin, end), y = key_bits(keys[b], begin, end);
        return descending ? x > y : x < y;
    });
    std::vector<K> sorted(n);
    std::vector<V> carried(values == NULL ? 0 : n);
    for (size_t i = 0; i < n; i++) {
        sorted[i] = keys[order[i]];
        if (values != NULL)
            carried[i] = values[order[i]];
    }
    std::copy(sorted.begin(), sorted.end(), keys_out);
    std::copy(carried.begin(), carried.end(), values_out);
}

template <class T> static inline void scribble(T *buffer, size_t n)
{
    memset(static_cast<void *>(buffer), SCRIBBLE, n * sizeof *buffer);
}

/* sum[i] of the items before i, and of i itself if inclusive. */
template <class In, class Out> static inline void scan(In in, Out *out, size_t n, bool inclusive)
{
    Out sum = 0;
    for (size_t i = 0; i < n; i++) {
        Out item = (Out)in[i];
        if (inclusive)
            out[i] = (Out)(sum + item);
        else
            out[i] = sum;
        sum = (Out)(sum + item);
    }
}

} /* namespace emulated */

struct DeviceRadixSort {
    template <class K, class V>
    static cudaError_t SortPairs(void *temp, size_t &temp_bytes, const K *keys, K *keys_out,
                                 const V *values, V *values_out, size_t n, int begin = 0,
                                 int end = sizeof(K) * 8, cudaStream_t stream = NULL)
    {
        return emulated::run("SortPairs", temp, temp_bytes, stream, [=]() {
            emulated::sort(keys, keys_out, values, values_out, n, begin, end, false);
        });
    }

    template <class K, class V>
    static cudaError_t SortPairsDescending(void *temp, size_t &temp_bytes, const K *keys,
                                           K *keys_out, const V *values, V *values_out, size_t n,
                                           int begin = 0, int end = sizeof(K) * 8,
                                           cudaStream_t stream = NULL)
    {
        return emulated::run("SortPairsDescending", temp, temp_bytes, stream, [=]() {
            emulated::sort(keys, keys_out, values, values_out, n, begin, end, true);
        });
    }

    template <class K, class V>
    static cudaError_t SortPairs(void *temp, size_t &temp_bytes, DoubleBuffer<K> &keys,
                                 DoubleBuffer<V> &values, size_t n, int begin = 0,
                                 int end = sizeof(K) * 8, cudaStream_t stream = NULL)
    {
        K *from = keys.Current(), *to = keys.Alternate();
        V *values_from = values.Current(), *values_to = values.Alternate();
        if (temp != NULL) {
            keys.selector ^= 1;
            values.selector ^= 1;
        }
        return emulated::run("SortPairs", temp, temp_bytes, stream, [=]() {
            emulated::sort(from, to, values_from, values_to, n, begin, end, false);
            emulated::scribble(from, n);
            emulated::scribble(values_from, n);
        });
    }

    template <class K>
    static cudaError_t SortKeys(void *temp, size_t &temp_bytes, const K *keys, K *keys_out,
                                size_t n, int begin = 0, int end = sizeof(K) * 8,
                                cudaStream_t stream = NULL)
    {
        return emulated::run("SortKeys", temp, temp_bytes, stream, [=]() {
            emulated::sort<K, char>(keys, keys_out, NULL, NULL, n, begin, end, false);
        });
    }

    template <class K>
    static cudaError_t SortKeys(void *temp, size_t &temp_bytes, DoubleBuffer<K> &keys, size_t n,
                                int begin = 0, int end = sizeof(K) * 8, cudaStream_t stream = NULL)
    {
        K *from = keys.Current(), *to = keys.Alternate();
        if (temp != NULL)
            keys.selector ^= 1;
        return emulated::run("SortKeys", temp, temp_bytes, stream, [=]() {
            emulated::sort<K, char>(from, to, NULL, NULL, n, begin, end, false);
            emulated::scribble(from, n);
        });
    }
};

struct DeviceScan {
    template <class In, class Out>
    static cudaError_t ExclusiveSum(void *temp, size_t &temp_bytes, In in, Out *out, size_t n,
                                    cudaStream_t stream = NULL)
    {
        return emulated::run("ExclusiveSum", temp, temp_bytes, stream,
                             [=]() { emulated::scan(in, out, n, false); });
    }

    template <class In, class Out>
    static cudaError_t InclusiveSum(void *temp, size_t &temp_bytes, In in, Out *out, size_t n,
                                    cudaStream_t stream = NULL)
    {
        return emulated::run("InclusiveSum", temp, temp_bytes, stream,
                             [=]() { emulated::scan(in, out, n, true); });
    }
};

struct DeviceReduce {
    template <class In, class Out>
    static cudaError_t Sum(void *temp, size_t &temp_bytes, In in, Out *out, size_t n,
                           cudaStream_t stream = NULL)
    {
        return emulated::run("Sum", temp, temp_bytes, stream, [=]() {
            Out sum = 0;
            for (size_t i = 0; i < n; i++)
                sum = (Out)(sum + (Out)in[i]);
            *out = sum;
        });
    }

    /* Of no items: the least value. */
    template <class In, class Out>
    static cudaError_t Max(void *temp, size_t &temp_bytes, In in, Out *out, size_t n,
                           cudaStream_t stream = NULL)
    {
        static_assert(std::is_unsigned<Out>::value, "unsigned items only");
        return emulated::run("Max", temp, temp_bytes, stream, [=]() {
            Out most = 0;
            for (size_t i = 0; i < n; i++)
                most = (Out)in[i] > most ? (Out)in[i] : most;
            *out = most;
        });
    }
};

struct DeviceSelect {
    template <class In, class Flag, class Out, class Count>
    static cudaError_t Flagged(void *temp, size_t &temp_bytes, In in, Flag flags, Out *out,
                               Count *selected, size_t n, cudaStream_t stream = NULL)
    {
        return emulated::run("Flagged", temp, temp_bytes, stream, [=]() {
            size_t count = 0;
            for (size_t i = 0; i < n; i++)
                if (flags[i])
                    out[count++] = in[i];
            *selected = (Count)count;
        });
    }
};

struct DeviceRunLengthEncode {
    template <class In, class Out, class Length, class Count>
    static cudaError_t Encode(void *temp, size_t &temp_bytes, In in, Out *unique, Length *lengths,
                              Count *runs, size_t n, cudaStream_t stream = NULL)
    {
        return emulated::run("Encode", temp, temp_bytes, stream, [=]() {
            size_t count = 0;
            for (size_t i = 0; i < n; count++) {
                Out item = in[i];
                size_t first = i;
                while (i < n && in[i] == item)
                    i++;
                unique[count] = item;
                lengths[count] = (Length)(i - first);
            }
            *runs = (Count)count;
        });
    }
};

} /* namespace cub */

#endif
