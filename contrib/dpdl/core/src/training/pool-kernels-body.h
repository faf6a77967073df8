// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Max pools and their gradients; native-kernels-body.h includes this file. The lanes of a register
// hold adjacent windows.

/// Vector of LANES 16-bit integers.
typedef std::uint16_t Shorts __attribute__((vector_size(2 * LANES)));

/// Number of outputs in a run. The outputs of a run, and the windows of these outputs, are adjacent
/// in memory.
DPDL_INLINE std::size_t
RunLength(const PoolShape& shape)
{
    return shape.stride == 1 ? shape.outWidth * shape.channels : shape.channels;
}

/// Offset of a value from the first value of its window, in floats.
/// @param row row in the window
/// @param column column in the window
DPDL_INLINE std::size_t
OffsetOf(const PoolShape& shape, std::size_t row, std::size_t column)
{
    return (row * shape.inWidth + column) * shape.channels;
}

/// Computes LANES adjacent outputs of a max pool.
/// @param kernel height and width of the window
DPDL_INLINE void
PoolVector(const PoolShape& shape,
           std::size_t kernel,
           const float* in,
           float* out,
           std::uint16_t* winner)
{
    Vector best;
    LoadVector(in, best);
    Integers place{};
    for (std::size_t row = 0; row < kernel; ++row)
    {
        for (std::size_t column = row == 0 ? 1 : 0; column < kernel; ++column)
        {
            Vector value;
            LoadVector(in + OffsetOf(shape, row, column), value);
            const Integers better = value > best;
            const auto number = static_cast<std::int32_t>(row * kernel + column);
            place = better ? Integers{} + number : place;
            best = better ? value : best;
        }
    }
    if (shape.relu)
    {
        // Tests best <= 0, because max(best, 0) could replace NaN by 0.
        const Integers dead = best <= Vector{};
        place = dead ? Integers{} + NO_WINNER : place;
        best = dead ? Vector{} : best;
    }
    StoreVector(best, LANES, out);
    const Shorts places = __builtin_convertvector(place, Shorts);
    __builtin_memcpy(winner, &places, sizeof(places));
}

/// Computes one output of a max pool.
DPDL_INLINE void
PoolValue(const PoolShape& shape, const float* in, float* out, std::uint16_t* winner)
{
    float best = in[0];
    std::size_t place = 0;
    for (std::size_t i = 1; i < shape.kernel * shape.kernel; ++i)
    {
        const float value = in[OffsetOf(shape, i / shape.kernel, i % shape.kernel)];
        place = value > best ? i : place;
        best = value > best ? value : best;
    }
    const bool dead = shape.relu && best <= 0.0F;
    *out = dead ? 0.0F : best;
    *winner = dead ? NO_WINNER : static_cast<std::uint16_t>(place);
}

/// Computes one run of adjacent outputs, as RunLength() defines it.
/// @param kernel height and width of the window, a compile-time constant for common sizes
DPDL_INLINE void
PoolRun(const PoolShape& shape,
        std::size_t kernel,
        const float* in,
        float* out,
        std::uint16_t* winner)
{
    const std::size_t length = RunLength(shape);
    std::size_t i = 0;
    for (; i + LANES <= length; i += LANES)
    {
        PoolVector(shape, kernel, in + i, out + i, winner + i);
    }
    for (; i < length; ++i)
    {
        PoolValue(shape, in + i, out + i, winner + i);
    }
}

/// Calls run(input offset, output offset) for each run of outputs of an image. Offsets are in
/// floats.
template <typename Run>
DPDL_INLINE void
ForEachRun(const PoolShape& shape, const Run& run)
{
    const std::size_t step = shape.stride == 1 ? shape.outWidth : 1;
    for (std::size_t y = 0; y < shape.outHeight; ++y)
    {
        for (std::size_t x = 0; x < shape.outWidth; x += step)
        {
            run(shape.stride * (y * shape.inWidth + x) * shape.channels,
                (y * shape.outWidth + x) * shape.channels);
        }
    }
}

void
Pool(const PoolShape& shape, const float* in, float* out, std::uint16_t* winner)
{
    if (shape.kernel == 2)
    {
        ForEachRun(shape, [&](std::size_t from, std::size_t to) {
            PoolRun(shape, 2, in + from, out + to, winner + to);
        });
        return;
    }
    ForEachRun(shape, [&](std::size_t from, std::size_t to) {
        PoolRun(shape, shape.kernel, in + from, out + to, winner + to);
    });
}

/// Adds the gradients of PARTS registers of adjacent outputs to the inputs that were their maxima.
template <int PARTS>
DPDL_INLINE void
GradientVectors(const PoolShape& shape,
                std::size_t kernel,
                const float* outGradient,
                const std::uint16_t* winner,
                float* inGradient)
{
    Vector gradient[PARTS];
    Integers place[PARTS];
#pragma GCC unroll 4
    for (int p = 0; p < PARTS; ++p)
    {
        LoadVector(outGradient + p * LANES, gradient[p]);
        Shorts places;
        __builtin_memcpy(&places, winner + p * LANES, sizeof(places));
        place[p] = __builtin_convertvector(places, Integers);
    }
    for (std::size_t row = 0; row < kernel; ++row)
    {
        for (std::size_t column = 0; column < kernel; ++column)
        {
            const auto number = static_cast<std::int32_t>(row * kernel + column);
#pragma GCC unroll 4
            for (int p = 0; p < PARTS; ++p)
            {
                float* to = inGradient + OffsetOf(shape, row, column) + p * LANES;
                Vector sum;
                LoadVector(to, sum);
                sum += place[p] == number ? gradient[p] : Vector{};
                StoreVector(sum, LANES, to);
            }
        }
    }
}

DPDL_INLINE void
GradientRun(const PoolShape& shape,
            std::size_t kernel,
            const float* outGradient,
            const std::uint16_t* winner,
            float* inGradient)
{
    const std::size_t length = RunLength(shape);
    const auto add = [&](auto parts, std::size_t i) {
        GradientVectors<decltype(parts)::value>(shape,
                                                kernel,
                                                outGradient + i,
                                                winner + i,
                                                inGradient + i);
    };
    std::size_t i = 0;
    // If windows overlap, several outputs add to the same input. To add in the same order at every
    // SIMD level, process SUM_LANES outputs at a time.
    for (; shape.stride == 1 && i + SUM_LANES <= length; i += SUM_LANES)
    {
        add(std::integral_constant<int, PARTS>(), i);
    }
    for (; shape.stride != 1 && i + LANES <= length; i += LANES)
    {
        add(std::integral_constant<int, 1>(), i);
    }
    for (; i < length; ++i)
    {
        if (winner[i] != NO_WINNER)
        {
            inGradient[i + OffsetOf(shape, winner[i] / kernel, winner[i] % kernel)] +=
                outGradient[i];
        }
    }
}

void
PoolGradient(const PoolShape& shape,
             const float* outGradient,
             const std::uint16_t* winner,
             float* inGradient)
{
    __builtin_memset(inGradient, 0, shape.inSize * sizeof(float));
    if (shape.kernel == 2)
    {
        ForEachRun(shape, [&](std::size_t to, std::size_t from) {
            GradientRun(shape, 2, outGradient + from, winner + from, inGradient + to);
        });
        return;
    }
    ForEachRun(shape, [&](std::size_t to, std::size_t from) {
        GradientRun(shape, shape.kernel, outGradient + from, winner + from, inGradient + to);
    });
}
