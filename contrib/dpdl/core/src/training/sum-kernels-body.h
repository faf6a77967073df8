// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Sums of scaled rows and of squares, in double precision; native-kernels-body.h includes this
// file.

/// sum[c] += factors[r] * rows[r][c] for ROWS rows, in one pass over the sum.
/// @param rows [ROWS] addresses of the rows, each [width]
template <int ROWS>
void
AddScaledTogether(const float* const* rows, const double* factors, std::size_t width, double* sum)
{
    Doubles f[ROWS];
#pragma GCC unroll 4
    for (int r = 0; r < ROWS; ++r)
    {
        f[r] = factors[r] - Doubles{};
    }
    std::size_t i = 0;
    for (; i + HALF <= width; i += HALF)
    {
        Doubles total;
        __builtin_memcpy(&total, sum + i, sizeof(total));
#pragma GCC unroll 4
        for (int r = 0; r < ROWS; ++r)
        {
            Doubles x;
            LoadDoubles(rows[r] + i, x);
            total = Fused(f[r], x, total);
        }
        __builtin_memcpy(sum + i, &total, sizeof(total));
    }
    for (; i < width; ++i)
    {
        for (int r = 0; r < ROWS; ++r)
        {
            sum[i] = Fused(factors[r], static_cast<double>(rows[r][i]), sum[i]);
        }
    }
}

void
AddScaledRows(const float* rows,
              const double* factors,
              std::size_t count,
              std::size_t width,
              double* sum)
{
    constexpr int MOST = 4;
    const float* few[MOST];
    double kept[MOST];
    std::size_t found = 0;
    for (std::size_t r = 0; r < count; ++r)
    {
        if (factors[r] != 0.0)
        {
            few[found] = rows + r * width;
            kept[found++] = factors[r];
        }
        if (found == MOST || (found > 0 && r + 1 == count))
        {
            WithSize<MOST>(found, [&](auto size) {
                AddScaledTogether<decltype(size)::value>(few, kept, width, sum);
            });
            found = 0;
        }
    }
}

/// Sum of the squares of @p size values, in double precision.
double
SquaredNorm(const float* values, std::size_t size)
{
    // All SIMD levels use 32 partial sums, so their results are bit-identical.
    constexpr std::size_t VECTORS = 32 / HALF;
    Doubles sums[VECTORS] = {};
    std::size_t i = 0;
    for (; i + VECTORS * HALF <= size; i += VECTORS * HALF)
    {
#pragma GCC unroll 16
        for (std::size_t v = 0; v < VECTORS; ++v)
        {
            Doubles x;
            LoadDoubles(values + i + v * HALF, x);
            sums[v] = Fused(x, x, sums[v]);
        }
    }
    double total = 0.0;
    for (; i < size; ++i)
    {
        const auto x = static_cast<double>(values[i]);
        total = Fused(x, x, total);
    }
    constexpr std::size_t QUARTER = VECTORS / 4;
#pragma GCC unroll 4
    for (std::size_t q = 0; q < QUARTER; ++q)
    {
        const Doubles sum =
            (sums[q] + sums[QUARTER + q]) + (sums[2 * QUARTER + q] + sums[3 * QUARTER + q]);
        for (std::size_t lane = 0; lane < HALF; ++lane)
        {
            total += sum[lane];
        }
    }
    return total;
}
