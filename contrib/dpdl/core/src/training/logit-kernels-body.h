// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Outputs of linear layers; native-kernels-body.h includes this file. Several examples and outputs
// are computed together, so they share loads. The order of additions in each sum is the same at
// every SIMD level.

/// Calls use() with @p size as a compile-time constant.
/// @param size 1 to SIZE
template <int SIZE, typename Use>
DPDL_INLINE void
WithSize(std::size_t size, const Use& use)
{
    if constexpr (SIZE > 1)
    {
        if (size < SIZE)
        {
            WithSize<SIZE - 1>(size, use);
            return;
        }
    }
    use(std::integral_constant<int, SIZE>());
}

/// Splits @p size into the fewest parts of at most @p most. Returns the size of the parts; the last
/// part may be smaller.
DPDL_INLINE std::size_t
PartSize(std::size_t size, std::size_t most)
{
    const std::size_t parts = (size + most - 1) / most;
    return (size + parts - 1) / parts;
}

/// Number of floats in the smallest SIMD register (128 bits).
constexpr int QUAD = 4;
typedef float Quad __attribute__((vector_size(4 * QUAD)));
typedef std::int32_t QuadPlaces __attribute__((vector_size(4 * QUAD)));

/// Selects four of the eight values of two vectors.
/// @param places [4] indices: 0 to 3 selects from @p first, 4 to 7 from @p second
DPDL_INLINE Quad
Pick(const Quad& first, const Quad& second, const QuadPlaces& places)
{
#ifdef __clang__
    Quad picked;
    for (int i = 0; i < QUAD; ++i)
    {
        picked[i] = places[i] < QUAD ? first[places[i]] : second[places[i] - QUAD];
    }
    return picked;
#else
    return __builtin_shuffle(first, second, places);
#endif
}

/// Number of partial sums of one dot product, in PARTS registers. The number is the same at every
/// SIMD level.
constexpr std::size_t SUM_LANES = 16;
constexpr int PARTS = SUM_LANES / LANES;

/// Adds up the SUM_LANES partial sums of each of four dot products, and returns the four results in
/// the order a, b, c, d. First adds the four quarters of the lanes. Then adds lanes 0 to 3 of the
/// result as (0 + 2) + (1 + 3).
DPDL_INLINE Quad
LaneSums(const Vector (&a)[PARTS],
         const Vector (&b)[PARTS],
         const Vector (&c)[PARTS],
         const Vector (&d)[PARTS])
{
    const Vector* const values[QUAD] = {a, b, c, d};
    Quad sums[QUAD];
#pragma GCC unroll 4
    for (int i = 0; i < QUAD; ++i)
    {
        Quad quads[SUM_LANES / QUAD];
#pragma GCC unroll 4
        for (int p = 0; p < PARTS; ++p)
        {
            __builtin_memcpy(quads + p * (LANES / QUAD), values[i] + p, sizeof(Vector));
        }
#pragma GCC unroll 2
        for (std::size_t width = SUM_LANES / QUAD / 2; width > 0; width /= 2)
        {
#pragma GCC unroll 2
            for (std::size_t q = 0; q < width; ++q)
            {
                quads[q] += quads[q + width];
            }
        }
        sums[i] = quads[0];
    }
    const QuadPlaces low{0, 4, 1, 5};
    const QuadPlaces high{2, 6, 3, 7};
    const Quad ab = Pick(sums[0], sums[1], low) + Pick(sums[0], sums[1], high);
    const Quad cd = Pick(sums[2], sums[3], low) + Pick(sums[2], sums[3], high);
    return Pick(ab, cd, QuadPlaces{0, 1, 4, 5}) + Pick(ab, cd, QuadPlaces{2, 3, 6, 7});
}

/// Computes OUTPUTS outputs of EXAMPLES examples. The order of additions does not depend on
/// EXAMPLES and OUTPUTS.
template <int EXAMPLES, int OUTPUTS>
DPDL_INLINE void
LogitTile(const LogitShape& shape,
          const float* in,
          const float* weight,
          const float* bias,
          float* out)
{
    constexpr int COUNT = EXAMPLES * OUTPUTS;
    Vector sum[COUNT][PARTS] = {};
    std::size_t i = 0;
    for (; i + SUM_LANES <= shape.inputs; i += SUM_LANES)
    {
#pragma GCC unroll 4
        for (int p = 0; p < PARTS; ++p)
        {
            Vector x[EXAMPLES];
#pragma GCC unroll 8
            for (int n = 0; n < EXAMPLES; ++n)
            {
                LoadVector(in + n * shape.inputs + i + p * LANES, x[n]);
            }
#pragma GCC unroll 8
            for (int o = 0; o < OUTPUTS; ++o)
            {
                Vector w;
                LoadVector(weight + o * shape.weightRow + i + p * LANES, w);
                InRegister(w);
#pragma GCC unroll 8
                for (int n = 0; n < EXAMPLES; ++n)
                {
                    sum[o * EXAMPLES + n][p] = Fused(x[n], w, sum[o * EXAMPLES + n][p]);
                }
            }
        }
    }
#pragma GCC unroll 4
    for (int p = 0; p < PARTS; ++p, i += LANES)
    {
        for (int n = 0; n < EXAMPLES && i < shape.inputs; ++n)
        {
            Vector x;
            LoadVector(in + n * shape.inputs + i, shape.inputs - i, x);
            for (int o = 0; o < OUTPUTS; ++o)
            {
                Vector w;
                LoadVector(weight + o * shape.weightRow + i, shape.inputs - i, w);
                sum[o * EXAMPLES + n][p] = Fused(x, w, sum[o * EXAMPLES + n][p]);
            }
        }
    }
#pragma GCC unroll 8
    for (int s = 0; s < COUNT; s += QUAD)
    {
        // LaneSums() takes four dot products. If fewer are left, dot product s fills the free
        // arguments, and its repeated results are ignored.
        const Quad sums = LaneSums(sum[s],
                                   sum[s + 1 < COUNT ? s + 1 : s],
                                   sum[s + 2 < COUNT ? s + 2 : s],
                                   sum[s + 3 < COUNT ? s + 3 : s]);
#pragma GCC unroll 4
        for (int q = 0; q < QUAD; ++q)
        {
            const int o = (s + q) / EXAMPLES;
            if (o < OUTPUTS)
            {
                out[(s + q) % EXAMPLES * shape.outputs + o] = sums[q] + bias[o];
            }
        }
    }
}

/// Computes OUTPUTS outputs of all examples.
template <int OUTPUTS>
void
LogitOutputs(const LogitShape& shape,
             const float* in,
             const float* weight,
             const float* bias,
             float* out)
{
    constexpr int EXAMPLES = QUAD / PARTS;
    std::size_t n = 0;
    for (; n + EXAMPLES <= shape.count; n += EXAMPLES)
    {
        LogitTile<EXAMPLES, OUTPUTS>(shape,
                                     in + n * shape.inputs,
                                     weight,
                                     bias,
                                     out + n * shape.outputs);
    }
    for (; n < shape.count; ++n)
    {
        LogitTile<1, OUTPUTS>(shape, in + n * shape.inputs, weight, bias, out + n * shape.outputs);
    }
}

void
Score(const LogitShape& shape, const float* in, const float* weight, const float* bias, float* out)
{
    constexpr int MOST = SUMS / QUAD;
    const std::size_t part = PartSize(shape.outputs, MOST);
    for (std::size_t o = 0; o < shape.outputs; o += part)
    {
        const std::size_t left = shape.outputs - o;
        WithSize<MOST>(left < part ? left : part, [&](auto size) {
            LogitOutputs<decltype(size)::value>(shape,
                                                in,
                                                weight + o * shape.weightRow,
                                                bias + o,
                                                out + o);
        });
    }
}
