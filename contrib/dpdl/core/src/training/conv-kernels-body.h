// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Convolutions; native-kernels-body.h includes this file. The sums of a block of adjacent results
// stay in registers. Rows of zero padding are skipped.

/// Largest number of bytes of weights in one pass over the results. Weights of this size stay in
/// the L1 cache.
constexpr std::size_t WEIGHT_BYTES = 32768;
/// Largest number of vector registers whose channels are computed together; each register has LANES
/// channels.
constexpr int MOST_VECTORS = 4;

/// Rows of an image without its zero padding. Row 0 is the top row of the first window.
struct NonzeroRows
{
    std::size_t step;  ///< number of image rows from a window to the window below it
    std::size_t begin; ///< index of the first row of the image
    std::size_t end;   ///< index one past the last row of the image
};

DPDL_INLINE NonzeroRows
NonzeroRowsOf(const WindowGrid& grid)
{
    const std::size_t step = grid.inRow > 0 ? grid.inStepY / grid.inRow : 1;
    return {step, grid.zerosAbove, (grid.height - 1) * step + grid.rows - grid.zerosBelow};
}

/// max(row - first, 0), the number of rows from @p first to @p row.
DPDL_INLINE std::size_t
RowsUpTo(std::size_t row, std::size_t first)
{
    return row > first ? row - first : 0;
}

DPDL_INLINE std::size_t
Smaller(std::size_t a, std::size_t b)
{
    return a < b ? a : b;
}

/// One pass over all results of a convolution. The pass uses a range of rows of each window and
/// computes a range of channels.
struct CorrelatePass
{
    const WindowGrid& grid; ///< sizes of the convolution
    std::size_t row;        ///< index of the pass's first row in each window
    std::size_t rows;       ///< number of rows in each window
    const float* weight;    ///< weights of the first row and channel of the pass
    const float* bias;      ///< bias of the first channel; null: the pass adds to the results of
                            ///< earlier passes
    std::size_t left;       ///< number of channels of the pass
};

/// Computes BLOCK horizontally adjacent results for VECTORS registers of channels.
/// @param in first value of the first window
/// @param out first channel of the first result
template <int BLOCK, int VECTORS>
DPDL_INLINE void
CorrelateBlock(const CorrelatePass& pass, const float* in, float* out)
{
    const WindowGrid& grid = pass.grid;
    const std::size_t weightRow = PaddedChannels(grid.channels);
    const std::size_t step = grid.inStepX;
    Vector sum[BLOCK][VECTORS];
#pragma GCC unroll 16
    for (int b = 0; b < BLOCK; ++b)
    {
#pragma GCC unroll 4
        for (int v = 0; v < VECTORS; ++v)
        {
            const std::size_t at = static_cast<std::size_t>(v) * LANES;
            if (pass.bias != nullptr)
            {
                LoadVector(pass.bias + at, sum[b][v]);
            }
            else
            {
                LoadVector(out + b * grid.outStepX + at, pass.left - at, sum[b][v]);
            }
        }
    }
    const float* weight = pass.weight;
    for (std::size_t row = 0; row < pass.rows; ++row)
    {
        const float* base[(BLOCK + 2) / 3];
#pragma GCC unroll 16
        for (int b = 0; b < BLOCK; b += 3)
        {
            base[b / 3] = in + row * grid.inRow + b * step;
        }
        for (std::size_t k = 0; k < grid.piece; ++k, weight += weightRow)
        {
            Vector w[VECTORS];
#pragma GCC unroll 4
            for (int v = 0; v < VECTORS; ++v)
            {
                LoadVector(weight + v * LANES, w[v]);
            }
#pragma GCC unroll 16
            for (int b = 0; b < BLOCK; ++b)
            {
                const Vector x = base[b / 3][(b % 3) * step + k] - Vector{};
#pragma GCC unroll 4
                for (int v = 0; v < VECTORS; ++v)
                {
                    sum[b][v] = Fused(x, w[v], sum[b][v]);
                }
            }
        }
    }
#pragma GCC unroll 16
    for (int b = 0; b < BLOCK; ++b)
    {
#pragma GCC unroll 4
        for (int v = 0; v < VECTORS; ++v)
        {
            const std::size_t at = static_cast<std::size_t>(v) * LANES;
            StoreVector(sum[b][v], pass.left - at, out + b * grid.outStepX + at);
        }
    }
}

/// Computes @p count horizontally adjacent results, BLOCK at a time. The function is not inlined:
/// in an inlined copy the compiler chooses instructions by the surrounding code, which is up to 10
/// % slower.
template <int BLOCK, int VECTORS>
__attribute__((noinline)) void
CorrelateRow(const CorrelatePass& pass, const float* in, std::size_t count, float* out)
{
    for (; count >= BLOCK; count -= BLOCK)
    {
        CorrelateBlock<BLOCK, VECTORS>(pass, in, out);
        in += BLOCK * pass.grid.inStepX;
        out += BLOCK * pass.grid.outStepX;
    }
    if constexpr (BLOCK > 1)
    {
        if (count > 0)
        {
            CorrelateRow<BLOCK - 1, VECTORS>(pass, in, count, out);
        }
    }
}

/// Computes all rows of results, in blocks of at most @p block adjacent results of a row. Recursion
/// over SIZE selects the template instance for @p block.
/// @param block number of results in a block, at most SIZE
template <int SIZE, int VECTORS>
void
CorrelateRows(const CorrelatePass& pass, const float* in, float* out, std::size_t block)
{
    if constexpr (SIZE > 1)
    {
        if (block < SIZE)
        {
            CorrelateRows<SIZE - 1, VECTORS>(pass, in, out, block);
            return;
        }
    }
    const WindowGrid& grid = pass.grid;
    const NonzeroRows image = NonzeroRowsOf(grid);
    CorrelatePass some = pass;
    for (std::size_t y = 0; y < grid.height; ++y)
    {
        const std::size_t first = y * image.step + pass.row;
        const std::size_t begin = Smaller(RowsUpTo(image.begin, first), pass.rows);
        some.rows = Smaller(RowsUpTo(image.end, first + begin), pass.rows - begin);
        some.weight = pass.weight + begin * grid.piece * PaddedChannels(grid.channels);
        CorrelateRow<SIZE, VECTORS>(some,
                                    in + y * grid.inStepY + begin * grid.inRow,
                                    grid.width,
                                    out + y * grid.outStepY);
    }
}

/// Largest number of adjacent results whose sums fit into the registers.
/// @param vectors number of registers of channels for each result
constexpr int
BlockOf(int vectors)
{
    return SUMS / vectors < 14 ? SUMS / vectors : 14;
}

template <int VECTORS>
void
CorrelateVectors(const CorrelatePass& pass, const float* in, float* out)
{
    constexpr std::size_t MOST = BlockOf(VECTORS);
    const std::size_t blocks = (pass.grid.width + MOST - 1) / MOST;
    const std::size_t block = blocks == 0 ? 1 : (pass.grid.width + blocks - 1) / blocks;
    CorrelateRows<BlockOf(VECTORS), VECTORS>(pass, in, out, block);
}

void
CorrelateChannels(const CorrelatePass& pass, const float* in, float* out)
{
    switch ((pass.left + LANES - 1) / LANES)
    {
    case 1:
        CorrelateVectors<1>(pass, in, out);
        break;
    case 2:
        CorrelateVectors<2>(pass, in, out);
        break;
    case 3:
        CorrelateVectors<3>(pass, in, out);
        break;
    default:
        CorrelateVectors<MOST_VECTORS>(pass, in, out);
    }
}

void
Correlate(const WindowGrid& grid,
          const float* in,
          const float* weight,
          const float* bias,
          float* out)
{
    const std::size_t weightRow = PaddedChannels(grid.channels);
    for (std::size_t channel = 0; channel < grid.channels; channel += MOST_VECTORS * LANES)
    {
        const std::size_t left = grid.channels - channel;
        const std::size_t used = left < MOST_VECTORS * LANES ? left : MOST_VECTORS * LANES;
        const std::size_t rowBytes = 4 * used * grid.piece;
        const std::size_t rows =
            rowBytes == 0 || rowBytes > WEIGHT_BYTES ? 1 : WEIGHT_BYTES / rowBytes;
        std::size_t row = 0;
        do
        {
            const std::size_t count = grid.rows - row < rows ? grid.rows - row : rows;
            CorrelateChannels({grid,
                               row,
                               count,
                               weight + row * grid.piece * weightRow + channel,
                               row == 0 ? bias + channel : nullptr,
                               used},
                              in + row * grid.inRow,
                              out + channel);
            row += count;
        } while (row < grid.rows);
    }
}
