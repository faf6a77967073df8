// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// The outputs of linear layers: a part of native-kernels-body.h.

/// Calls use() with a constant that is @p size, which is at most SIZE.
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

/// Parts of about the same size, of at most @p most.
DPDL_INLINE std::size_t
PartSize(std::size_t size, std::size_t most)
{
    const std::size_t parts = (size + most - 1) / most;
    return (size + parts - 1) / parts;
}

/// Values that are added up at once.
constexpr int QUAD = 4;
typedef float Quad __attribute__((vector_size(4 * QUAD)));
typedef std::int32_t QuadPlaces __attribute__((vector_size(4 * QUAD)));

/// Four of eight values. @param places 0 to 3: of the first ones, 4 to 7: of the second ones
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

/// The sums of the lanes of four registers: quarter by quarter, then ((0 + 2) + (1 + 3)).
DPDL_INLINE Quad
LaneSums(const Vector& a, const Vector& b, const Vector& c, const Vector& d)
{
    const Vector* const values[QUAD] = {&a, &b, &c, &d};
    Quad sums[QUAD];
#pragma GCC unroll 4
    for (int i = 0; i < QUAD; ++i)
    {
        Quad quads[LANES / QUAD];
        __builtin_memcpy(quads, values[i], sizeof(quads));
#pragma GCC unroll 2
        for (std::size_t width = LANES / QUAD / 2; width > 0; width /= 2)
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

/// Some examples with some outputs. The sum of an output is that of its lanes, whatever the tile.
template <int EXAMPLES, int OUTPUTS>
DPDL_INLINE void
LogitTile(const LogitShape& shape,
          const float* in,
          const float* weight,
          const float* bias,
          float* out)
{
    Vector sum[EXAMPLES][OUTPUTS] = {};
    std::size_t i = 0;
    for (; i + LANES <= shape.inputs; i += LANES)
    {
        Vector x[EXAMPLES];
#pragma GCC unroll 8
        for (int n = 0; n < EXAMPLES; ++n)
        {
            LoadVector(in + n * shape.inputs + i, x[n]);
        }
#pragma GCC unroll 8
        for (int o = 0; o < OUTPUTS; ++o)
        {
            Vector w;
            LoadVector(weight + o * shape.weightRow + i, w);
#pragma GCC unroll 8
            for (int n = 0; n < EXAMPLES; ++n)
            {
                sum[n][o] += x[n] * w;
            }
        }
    }
    for (int n = 0; n < EXAMPLES && i < shape.inputs; ++n)
    {
        Vector x;
        LoadVector(in + n * shape.inputs + i, shape.inputs - i, x);
        for (int o = 0; o < OUTPUTS; ++o)
        {
            Vector w;
            LoadVector(weight + o * shape.weightRow + i, shape.inputs - i, w);
            sum[n][o] += x * w;
        }
    }
#pragma GCC unroll 8
    for (int o = 0; o < OUTPUTS; ++o)
    {
        // With fewer examples the first one is added up more than once.
        const Quad sums = LaneSums(sum[0][o],
                                   sum[EXAMPLES > 1 ? 1 : 0][o],
                                   sum[EXAMPLES > 2 ? 2 : 0][o],
                                   sum[EXAMPLES > 3 ? 3 : 0][o]);
#pragma GCC unroll 4
        for (int n = 0; n < EXAMPLES; ++n)
        {
            out[n * shape.outputs + o] = sums[n] + bias[o];
        }
    }
}

/// Some outputs of all examples.
template <int OUTPUTS>
void
LogitOutputs(const LogitShape& shape,
             const float* in,
             const float* weight,
             const float* bias,
             float* out)
{
    constexpr int EXAMPLES = SUMS / 4 < QUAD ? SUMS / 4 : QUAD;
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
    constexpr int MOST = SUMS / 4 < 6 ? 4 : 6;
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
