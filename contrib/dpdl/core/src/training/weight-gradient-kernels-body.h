// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Weight gradients of convolutions; native-kernels-body.h includes this file after
// conv-kernels-body.h. The sums over all results stay in registers for one block of the gradient at
// a time.

/// A range of rows in the grid of results.
struct ResultRows
{
    std::size_t begin; ///< index of the first row
    std::size_t end;   ///< index one past the last row
};

/// Rows of results whose windows have an image row among the given window rows. In the windows of
/// all other results, the given window rows are zero padding.
/// @param row first of the window rows
/// @param rows number of window rows
DPDL_INLINE ResultRows
ResultsOfRows(const WindowGrid& grid, std::size_t row, std::size_t rows)
{
    const NonzeroRows image = NonzeroRowsOf(grid);
    const std::size_t begin = RowsUpTo(image.begin, row + rows - 1);
    const std::size_t end = RowsUpTo(image.end, row);
    return {(begin + image.step - 1) / image.step,
            Smaller((end + image.step - 1) / image.step, grid.height)};
}

/// Computes the gradient of VALUES values in ROWS rows of the weight, for VECTORS registers of
/// output channels.
/// @param results rows of results that are summed
/// @param left number of output channels
template <int ROWS, int VALUES, int VECTORS>
DPDL_INLINE void
GradientBlock(const WindowGrid& grid,
              const ResultRows& results,
              const float* in,
              const float* outGradient,
              std::size_t left,
              float* gradient)
{
    Vector sum[ROWS][VALUES][VECTORS] = {};
    for (std::size_t y = results.begin; y < results.end; ++y)
    {
        const float* window = in + y * grid.inStepY;
        const float* d = outGradient + y * grid.outStepY;
        for (std::size_t x = 0; x < grid.width; ++x, window += grid.inStepX, d += grid.outStepX)
        {
            Vector delta[VECTORS];
#pragma GCC unroll 4
            for (int v = 0; v < VECTORS; ++v)
            {
                LoadVector(d + v * LANES, delta[v]);
            }
#pragma GCC unroll 4
            for (int r = 0; r < ROWS; ++r)
            {
#pragma GCC unroll 16
                for (int k = 0; k < VALUES; ++k)
                {
                    const Vector value = window[r * grid.inRow + k] - Vector{};
#pragma GCC unroll 4
                    for (int v = 0; v < VECTORS; ++v)
                    {
                        sum[r][k][v] = Fused(value, delta[v], sum[r][k][v]);
                    }
                }
            }
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < ROWS; ++r)
    {
#pragma GCC unroll 16
        for (int k = 0; k < VALUES; ++k)
        {
            float* to = gradient + (r * grid.piece + k) * grid.channels;
#pragma GCC unroll 4
            for (int v = 0; v < VECTORS; ++v)
            {
                const std::size_t at = static_cast<std::size_t>(v) * LANES;
                StoreVector(sum[r][k][v], left - at, to + at);
            }
        }
    }
}

/// Inputs and output of one pass over all results, for a range of output channels.
struct GradientPass
{
    const WindowGrid& grid;   ///< sizes of the convolution
    const float* in;          ///< first value of the first window
    const float* outGradient; ///< gradient of the results, from the first channel of the pass on
    std::size_t left;         ///< number of channels of the pass
    float* gradient;          ///< gradient of the weight, from the first channel of the pass on
};

/// Computes the weight gradient in rows @p row to row + ROWS - 1, for the values from @p value on.
/// Each block has VALUES values; the last blocks may be smaller. VECTORS is the number of registers
/// of output channels.
template <int ROWS, int VALUES, int VECTORS>
void
GradientValues(const GradientPass& pass, std::size_t row, std::size_t value)
{
    const WindowGrid& grid = pass.grid;
    const ResultRows results = ResultsOfRows(grid, row, ROWS);
    for (; grid.piece - value >= VALUES; value += VALUES)
    {
        GradientBlock<ROWS, VALUES, VECTORS>(grid,
                                             results,
                                             pass.in + row * grid.inRow + value,
                                             pass.outGradient,
                                             pass.left,
                                             pass.gradient +
                                                 (row * grid.piece + value) * grid.channels);
    }
    if constexpr (VALUES > 1)
    {
        if (value < grid.piece)
        {
            GradientValues<ROWS, VALUES - 1, VECTORS>(pass, row, value);
        }
    }
}

/// Calls GradientValues() for @p size values at a time, with the size as a compile-time constant.
/// @param size number of values, at most SIZE
template <int ROWS, int SIZE, int VECTORS>
void
GradientSizes(const GradientPass& pass, std::size_t row, std::size_t size)
{
    if constexpr (SIZE > 1)
    {
        if (size < SIZE)
        {
            GradientSizes<ROWS, SIZE - 1, VECTORS>(pass, row, size);
            return;
        }
    }
    GradientValues<ROWS, SIZE, VECTORS>(pass, row, 0);
}

/// Computes the gradient in the rows of the weight from @p row on. Each block has ROWS rows, or
/// fewer if the sums of ROWS rows do not fit into the registers or fewer rows are left.
template <int ROWS, int VECTORS>
void
GradientRows(const GradientPass& pass, std::size_t row)
{
    constexpr std::size_t MOST = BlockOf(ROWS * VECTORS);
    const WindowGrid& grid = pass.grid;
    const std::size_t blocks = (grid.piece + MOST - 1) / MOST;
    const std::size_t size = (grid.piece + blocks - 1) / blocks;
    if (ROWS == 1 || blocks == 1)
    {
        for (; grid.rows - row >= ROWS; row += ROWS)
        {
            GradientSizes<ROWS, BlockOf(ROWS * VECTORS), VECTORS>(pass, row, size);
        }
    }
    if constexpr (ROWS > 1)
    {
        if (row < grid.rows)
        {
            GradientRows<ROWS - 1, VECTORS>(pass, row);
        }
    }
}

void
WeightGradient(const WindowGrid& grid, const float* in, const float* outGradient, float* gradient)
{
    if (grid.piece == 0)
    {
        return;
    }
    for (std::size_t channel = 0; channel < grid.channels; channel += MOST_VECTORS * LANES)
    {
        const std::size_t left = grid.channels - channel;
        const GradientPass pass{grid,
                                in,
                                outGradient + channel,
                                left < MOST_VECTORS * LANES ? left : MOST_VECTORS * LANES,
                                gradient + channel};
        switch ((pass.left + LANES - 1) / LANES)
        {
        case 1:
            GradientRows<4, 1>(pass, 0);
            break;
        case 2:
            GradientRows<4, 2>(pass, 0);
            break;
        case 3:
            GradientRows<2, 3>(pass, 0);
            break;
        default:
            GradientRows<2, MOST_VECTORS>(pass, 0);
        }
    }
}
