// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_STATE_OPS_H
#define DPDL_TRAINING_CUDA_STATE_OPS_H

#include "host-device.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Device operations on the state vectors of all nodes: the noisy update, mixing, and the rounding
// error of mixing.

namespace dpdl
{

namespace cuda
{

/// Identifies a dpdl::RandomStream: key = (seed, run), counter = (purpose, node, round).
struct StreamName
{
    std::uint32_t key[2];     ///< seed and run number
    std::uint32_t counter[3]; ///< purpose, node and round number
};

/// dpdl::RandomStream computes normal variates from groups of this number of Philox blocks.
/// ElementOf() gives the resulting order of the variates.
constexpr int LANES = 16;

/// Four 32-bit random words of one Philox block.
struct Block
{
    std::uint32_t word[4]; ///< output words
};

/// Output words of Philox block @p index of the stream, equal to those of dpdl::RandomStream.
DPDL_HOST_DEVICE inline Block
PhiloxBlock(const StreamName& stream, std::uint64_t index)
{
    std::uint32_t c0 = static_cast<std::uint32_t>(index);
    std::uint32_t c1 =
        (static_cast<std::uint32_t>(index >> 32) & 0xffffU) | (stream.counter[0] << 16);
    std::uint32_t c2 = stream.counter[1];
    std::uint32_t c3 = stream.counter[2];
    std::uint32_t k0 = stream.key[0];
    std::uint32_t k1 = stream.key[1];
    for (int round = 0; round < 10; ++round)
    {
        const std::uint64_t p0 = static_cast<std::uint64_t>(0xD2511F53U) * c0;
        const std::uint64_t p1 = static_cast<std::uint64_t>(0xCD9E8D57U) * c2;
        c0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
        c2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
        c1 = static_cast<std::uint32_t>(p1);
        c3 = static_cast<std::uint32_t>(p0);
        k0 += 0x9E3779B9U;
        k1 += 0xBB67AE85U;
    }
    return {{c0, c1, c2, c3}};
}

/// ln(x) for x in (0, 1], by the polynomial of dpdl::RandomStream.
DPDL_HOST_DEVICE inline float
LogOfUniform(float x)
{
    std::uint32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    const std::int32_t exponent = static_cast<std::int32_t>(bits - 0x3f400000U) >> 23;
    bits -= static_cast<std::uint32_t>(exponent) << 23;
    float mantissa;
    memcpy(&mantissa, &bits, sizeof(mantissa));
    const float f = mantissa - 1.0F;
    const float z = f * f;
    const float coefficients[] = {-1.1514610310e-1F,
                                  1.1676998740e-1F,
                                  -1.2420140846e-1F,
                                  1.4249322787e-1F,
                                  -1.6668057665e-1F,
                                  2.0000714765e-1F,
                                  -2.4999993993e-1F,
                                  3.3333331174e-1F};
    float p = 7.0376836292e-2F;
    for (const float coefficient : coefficients)
    {
        p = p * f + coefficient;
    }
    const auto e = static_cast<float>(exponent);
    p = p * f * z - 2.12194440e-4F * e;
    return f + (p - 0.5F * z) + 0.693359375F * e;
}

/// Computes two independent standard normal variates, out[0] and out[1], from two random words by
/// the method of dpdl::RandomStream (Box and Muller). A radius of 40 random bits and an angle of 24
/// random bits are computed in float32. In double precision, the lowest 8 bits of @p low then
/// change the angle by less than 2 pi / 2^24 and the radius by a factor of 1 +- 2^-25.
DPDL_HOST_DEVICE inline void
NormalPair(std::uint32_t high, std::uint32_t low, double* out)
{
    const float head = static_cast<float>(static_cast<std::int32_t>(high >> 8));
    const float tail =
        static_cast<float>(static_cast<std::int32_t>(((high & 0xffU) << 8) | (low & 0xffU)));
    const float u = head * 0x1p-24F + (tail * 0x1p-40F + 0x1p-41F);
    const float radius = sqrtf(-2.0F * LogOfUniform(u));
    const std::uint32_t turn = low >> 8;
    const std::uint32_t quarter = (turn + 0x200000U) >> 22;
    const auto rest = static_cast<std::int32_t>(turn - (quarter << 22));
    const float x = static_cast<float>(rest) * 3.7450704e-7F; // 2 pi / 2^24
    const float z = x * x;
    const float s = ((-1.9515295891e-4F * z + 8.3321608736e-3F) * z - 1.6666654611e-1F) * z * x + x;
    const float c =
        ((2.443315711809948e-5F * z - 1.388731625493765e-3F) * z + 4.166664568298827e-2F) * z * z -
        0.5F * z + 1.0F;
    const bool odd = (quarter & 1U) != 0;
    const float cosineSize = odd ? s : c;
    const float sineSize = odd ? c : s;
    const double cosine = ((quarter + 1U) & 2U) != 0 ? -cosineSize : cosineSize;
    const double sine = (quarter & 2U) != 0 ? -sineSize : sineSize;
    const double bits = low & 0xffU;
    const double angle = bits * 1.4629180792671596e-9; // 2 pi / 2^32
    const double length = radius + radius * ((bits - 127.5) * 0x1p-32);
    out[0] = length * (cosine - angle * sine);
    out[1] = length * (sine + angle * cosine);
}

/// Position in the stream's sequence of normal variates of variate @p k (0 to 3) of the four that
/// Philox block @p index gives.
DPDL_HOST_DEVICE inline std::uint64_t
ElementOf(std::uint64_t index, int k)
{
    const std::uint64_t chunk = index / LANES;
    return (4 * chunk + static_cast<std::uint64_t>(k)) * LANES + index % LANES;
}

/// Step size, noise standard deviation and random stream of one node's private step. Rules are in
/// device memory, so a recorded round can be replayed with other rules.
struct UpdateRule
{
    float scale{0.0F};   ///< step size / divisor; 0: the node has no step
    float noise{0.0F};   ///< standard deviation of the noise on each element of the sum; 0: no
                         ///< noise
    StreamName stream{}; ///< random stream of the node's normal variates
};

/// z -= scale * (sum + noise * N) for all nodes in one pass. N is a vector of standard normal
/// variates from the dpdl::RandomStream in the node's rule. The random words equal those of the
/// host, but float32 rounding may differ. Called once per node and Philox block, which gives four
/// variates; adjacent calls write adjacent elements.
struct UpdateStates
{
    float* z;         ///< [nodes, count] state vectors
    const float* sum; ///< [nodes, count] sums of clipped gradients; null: `exact` has them
    /// [nodes] step size, noise standard deviation and random stream of each node.
    const UpdateRule* rules;
    std::size_t count; ///< number of parameters d
    /// [nodes, count] sums in double precision, if `sum` is null.
    const double* exact{nullptr};
    Divisor callsPerNode{CallsPerNode(count)}; ///< number of calls for one node

    /// Number of calls of the operation for one node.
    /// @param parameters number of parameters d
    static std::size_t CallsPerNode(std::size_t parameters)
    {
        return (parameters + 4 * LANES - 1) / (4 * LANES) * LANES;
    }

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const std::size_t node = Quotient(index, callsPerNode);
        const std::size_t block = index - node * callsPerNode;
        const UpdateRule& rule = rules[node];
        if (rule.scale == 0.0F)
        {
            return;
        }
        // All loads come before the first store. Several loads are then pending at a time.
        float before[4] = {0.0F, 0.0F, 0.0F, 0.0F};
        double gradient[4] = {0.0, 0.0, 0.0, 0.0};
        for (int k = 0; k < 4; ++k)
        {
            const std::uint64_t i = ElementOf(block, k);
            if (i < count)
            {
                before[k] = z[node * count + i];
                const std::size_t element = node * count + i;
                gradient[k] = sum != nullptr ? static_cast<double>(sum[element]) : exact[element];
            }
        }
        double normal[4] = {0.0, 0.0, 0.0, 0.0};
        if (rule.noise != 0.0F)
        {
            const Block words = PhiloxBlock(rule.stream, block);
            NormalPair(words.word[0], words.word[1], normal);
            NormalPair(words.word[2], words.word[3], normal + 2);
        }
        for (int k = 0; k < 4; ++k)
        {
            const std::uint64_t i = ElementOf(block, k);
            if (i < count)
            {
                const auto change = static_cast<float>(gradient[k] + rule.noise * normal[k]);
                z[node * count + i] = before[k] - rule.scale * change;
            }
        }
    }
};

/// One summand of a mixed state vector.
struct MixEntry
{
    const float* source; ///< [d] a state vector
    double coefficient;  ///< factor by which this vector is multiplied
    std::size_t begin;   ///< first coordinate at which the source is added to the mixed vector
    std::size_t end;     ///< one past the last coordinate at which the source is added
};

/// out = sum over entries of coefficient * source, for all rows. Consecutive calls process the same
/// columns of all rows before the next columns, so sources stay in the cache. Called once per row
/// and COLUMNS columns. A row without entries is unchanged.
struct MixRows
{
    const MixEntry* entries;    ///< entries of all rows, row after row
    const std::uint32_t* first; ///< [rows + 1] index of each row's first entry
    float* out;                 ///< [rows, count] mixed state vectors
    Divisor rows;               ///< number of mixed rows
    std::size_t count;          ///< number of parameters d

    static constexpr std::size_t BLOCK = 256; ///< number of consecutive calls for the same row
    /// Number of columns that a call processes, each BLOCK columns after the previous one.
    static constexpr std::size_t COLUMNS = 4;

    /// Number of calls for all rows and columns.
    std::size_t Calls() const
    {
        return (count + COLUMNS * BLOCK - 1) / (COLUMNS * BLOCK) * rows * BLOCK;
    }

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const std::size_t group = index / BLOCK;
        const std::size_t block = Quotient(group, rows);
        const std::size_t row = group - block * rows;
        const std::size_t column = block * COLUMNS * BLOCK + index % BLOCK;
        if (column >= count || first[row] == first[row + 1])
        {
            return;
        }
        float sums[COLUMNS] = {};
        for (std::uint32_t t = first[row]; t < first[row + 1]; ++t)
        {
            const MixEntry entry = entries[t];
            const std::size_t end = entry.end < count ? entry.end : count;
            for (std::size_t k = 0; k < COLUMNS; ++k)
            {
                const std::size_t at = column + k * BLOCK;
                if (entry.begin <= at && at < end)
                {
                    sums[k] += static_cast<float>(entry.coefficient) * entry.source[at];
                }
            }
        }
        for (std::size_t k = 0; k < COLUMNS && column + k * BLOCK < count; ++k)
        {
            out[row * count + column + k * BLOCK] = sums[k];
        }
    }
};

/// Distance of the result of MixRows from the sum in double precision, at PROBES coordinates of
/// every row, as dpdl::MixingError() computes it on the host. Called once per row and probed
/// coordinate.
struct ProbeMix
{
    MixRows mix;   ///< mix that is measured
    double* error; ///< [rows, PROBES] |double sum - result| at each coordinate
    double* size;  ///< [rows, PROBES] |double sum| at each coordinate

    static constexpr std::size_t PROBES = 16; ///< number of probed coordinates, as in MixingError()

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const std::size_t row = index / PROBES;
        const std::size_t probes = mix.count < PROBES ? mix.count : PROBES;
        const std::size_t probe = index % PROBES % probes;
        const std::size_t i = probe * mix.count / probes;
        double sum = 0.0;
        for (std::uint32_t t = mix.first[row]; t < mix.first[row + 1]; ++t)
        {
            const MixEntry& entry = mix.entries[t];
            const bool counts = entry.begin <= i && i < entry.end;
            sum += counts ? entry.coefficient * static_cast<double>(entry.source[i]) : 0.0;
        }
        const bool mixed = mix.first[row] != mix.first[row + 1];
        const double found = mixed ? static_cast<double>(mix.out[row * mix.count + i]) : 0.0;
        size[index] = fabs(sum);
        error[index] = fabs(sum - found);
    }
};

/// Mean of rows, and the squared distances of the rows to this mean, in double precision. An
/// operation for SumRows() whose rows are tiles of COLUMNS columns: Term() computes the mean of one
/// column, and returns the sum over the rows of the squared distances in this column.
struct MeanOfRows
{
    const MixEntry* entries; ///< [rows] rows to average; their coefficients are not used
    std::size_t rows;        ///< number of rows, above 0
    std::size_t count;       ///< number of parameters d
    float* mean;             ///< [count] the mean, rounded to float32
    double* out;             ///< [(count + COLUMNS - 1) / COLUMNS] sums of squared distances

    static constexpr std::size_t COLUMNS = 1024; ///< number of columns of one sum

    DPDL_HOST_DEVICE std::size_t Width(std::size_t /* tile */) const
    {
        return COLUMNS;
    }

    DPDL_HOST_DEVICE double Term(std::size_t tile, std::size_t i) const
    {
        const std::size_t column = tile * COLUMNS + i;
        if (column >= count)
        {
            return 0.0;
        }
        double sum = 0.0;
        DPDL_UNROLL
        for (std::size_t row = 0; row < rows; ++row)
        {
            sum += static_cast<double>(entries[row].source[column]);
        }
        const double middle = sum / static_cast<double>(rows);
        mean[column] = static_cast<float>(middle);
        double squares = 0.0;
        DPDL_UNROLL
        for (std::size_t row = 0; row < rows; ++row)
        {
            const double distance = static_cast<double>(entries[row].source[column]) - middle;
            squares += distance * distance;
        }
        return squares;
    }

    DPDL_HOST_DEVICE void Store(std::size_t tile, double sum) const
    {
        out[tile] = sum;
    }
};

} // namespace cuda

} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_STATE_OPS_H
