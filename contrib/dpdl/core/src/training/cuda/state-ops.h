// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_STATE_OPS_H
#define DPDL_TRAINING_CUDA_STATE_OPS_H

#include "device-normal.h"

#include <cstddef>

// Device operations on the states of all nodes: the noisy update, mixing, and the error of a mix.

namespace dpdl
{
namespace cuda
{

/// The numbers of one node's private step. They are in device memory, so a recorded round can be
/// replayed with other numbers.
struct UpdateRule
{
    float scale{0.0F};   ///< learning rate over divisor; 0: the node has no step
    float noise{0.0F};   ///< standard deviation added to each element of the sum; 0: none
    StreamName stream{}; ///< stream of the normals
};

/// z -= scale * (sum + noise * N) for all nodes in one pass, with N the normals of the
/// dpdl::RandomStream that a node's rule names: the words are the same, but the rounding of floats
/// may differ. One call for each node and Philox block of four normals; adjacent calls write
/// adjacent elements.
struct UpdateStates
{
    float* z;                ///< [nodes, count]
    const float* sum;        ///< [nodes, count]
    const UpdateRule* rules; ///< [nodes]
    std::size_t count;       ///< d

    /// Calls for one node.
    static DPDL_HOST_DEVICE std::size_t CallsPerNode(std::size_t parameters)
    {
        return (parameters + 4 * LANES - 1) / (4 * LANES) * LANES;
    }

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const std::size_t node = Quotient(index, CallsPerNode(count));
        const std::size_t block = index - node * CallsPerNode(count);
        const UpdateRule& rule = rules[node];
        if (rule.scale == 0.0F)
        {
            return;
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
                const std::size_t at = node * count + i;
                z[at] -= rule.scale * static_cast<float>(sum[at] + rule.noise * normal[k]);
            }
        }
    }
};

/// One summand of a mixed row.
struct MixEntry
{
    const float* source; ///< [d] a row
    double coefficient;  ///< its weight
    std::size_t begin;   ///< first coordinate that it covers
    std::size_t end;     ///< behind the last one
};

/// out = sum of coefficient * source, for all rows. Consecutive calls process the same columns of
/// all rows before the next columns, so sources stay in the cache. One call for each row and
/// column. A row without terms is unchanged.
struct MixRows
{
    const MixEntry* entries;    ///< of all rows, row after row
    const std::uint32_t* first; ///< [rows + 1] index of each row's first entry
    float* out;                 ///< [rows, count]
    std::size_t rows;           ///< rows that are mixed
    std::size_t count;          ///< d

    static constexpr std::size_t BLOCK = 256; ///< adjacent calls for the columns of one row

    /// Number of calls.
    std::size_t Calls() const
    {
        return (count + BLOCK - 1) / BLOCK * rows * BLOCK;
    }

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const std::size_t group = index / BLOCK;
        const std::size_t block = Quotient(group, rows);
        const std::size_t row = group - block * rows;
        const std::size_t column = block * BLOCK + index % BLOCK;
        if (column >= count || first[row] == first[row + 1])
        {
            return;
        }
        float sum = 0.0F;
        for (std::uint32_t t = first[row]; t < first[row + 1]; ++t)
        {
            const MixEntry& entry = entries[t];
            if (entry.begin <= column && column < entry.end)
            {
                sum += static_cast<float>(entry.coefficient) * entry.source[column];
            }
        }
        out[row * count + column] = sum;
    }
};

/// Distance of MixRows from the sum in double precision, at PROBES coordinates of every row; see
/// dpdl::MixingError(). One call for each row and probe.
struct ProbeMix
{
    MixRows mix;   ///< the mix
    double* error; ///< [rows, PROBES] of the coordinate
    double* size;  ///< [rows, PROBES] of the sum in double precision

    static constexpr std::size_t PROBES = 16; ///< number of probes of MixingError()

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

} // namespace cuda
} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_STATE_OPS_H
