// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_GOSSIP_H
#define DPDL_TRAINING_GOSSIP_H

#include "dpdl/training/parameters.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

namespace dpdl
{

/// One summand of a mixing step: a vector times a coefficient. It covers all coordinates or one
/// chunk.
struct MixTerm
{
    ParameterHandle source; ///< vector to add
    /// Factor on the vector. For push-sum a_ij w_j / w_i, computed in double precision: a_ij is the
    /// mixing weight from node j to node i, and w_j is the push-sum weight of node j.
    double coefficient{0.0};
    std::size_t begin{0}; ///< first coordinate that the term covers
    /// one past the last coordinate that the term covers
    std::size_t end{std::numeric_limits<std::size_t>::max()};
    bool isHeard{false}; ///< true: the vector was received from another node; see MixByRule()
};

/**
 * @brief Mixes: out = sum over the terms of coefficient * source, in the order of the terms.
 *
 * Coefficients are rounded to float32 once; products and sums are float32. The result depends only
 * on the terms and their order, so mixing chunk by chunk with the same coefficients is
 * bit-identical. The function reads and writes memory once for any number of terms.
 *
 * @param terms summands; without summands the result is zero. The sources have the length of @p out
 *         and are not @p out itself. Terms of the same coordinates are adjacent, and each
 *         coordinate belongs to exactly one such group of terms.
 * @param[out] out receives the sum
 */
void MixParameters(const std::vector<MixTerm>& terms, ParameterVector& out);

/// Adds momentum to a mix: replaces the sum s of the terms by gamma s + (1 - gamma) last (Cyffers
/// et al., NeurIPS 2022, Algorithm 1).
/// @param[in,out] terms at least one, all of the same coordinates
/// @param last the node's vector before the previous mixing step
/// @param gamma factor on the new sum
void AddMomentum(std::vector<MixTerm>& terms, const ParameterHandle& last, double gamma);

/// MixParameters() with products and sums in double precision, rounded to float32 once.
void MixExactly(const std::vector<MixTerm>& terms, ParameterVector& out);

/**
 * @brief Relative rounding error of MixParameters(), against sums in double precision.
 *
 * It is measured at 16 evenly spaced coordinates.
 *
 * @param terms summands of the mix
 * @param out result of MixParameters()
 * @return the largest |double sum - out| of these coordinates, divided by the largest |double sum|;
 *         0 without terms or if all sums are zero
 */
double MixingError(const std::vector<MixTerm>& terms, const ParameterVector& out);

/// One row of RoundMix: the mixed vector of one node, and the terms to sum.
struct MixRow
{
    /// summands; terms of the same coordinates are adjacent
    const std::vector<MixTerm>* terms{nullptr};
    ParameterVector* out{nullptr}; ///< receives the sum
    double error{0.0};             ///< result: rounding error by MixingError()
};

/**
 * @brief Mixes the vectors of all nodes of a round at once, as one sparse matrix of coefficients
 *        times the matrix of sources, which has one row per vector and one column per coordinate.
 *
 * Mixing node by node would read each source from memory once per use. RoundMix mixes a block of
 * columns for all nodes while the block is in the cache, then the next block. Each vector is
 * bit-identical to the result of MixParameters(). Buffers are reused in the next round.
 */
class RoundMix
{
  public:
    RoundMix();
    ~RoundMix();

    /**
     * @brief Begins the mixing of a round.
     * @param rows rows of one length; unchanged until Finish(). The output of a row is neither a
     *         source of any row nor the output of another row
     */
    void Begin(std::vector<MixRow>& rows);

    /// Number of columns of each row; 0 if there are no rows.
    std::size_t Length() const;

    /**
     * @brief Mixes a range of columns of all rows. Threads may mix different ranges concurrently.
     * @param begin first column; a multiple of BLOCK is fastest
     * @param end one past the last column, at most Length()
     */
    void MixColumns(std::size_t begin, std::size_t end);

    /// Ends the round after all columns are mixed: sets MixRow::error of each row.
    void Finish();

    /// Mixes all columns on the calling thread: Begin(), MixColumns() and Finish().
    /// @param rows as for Begin()
    void Mix(std::vector<MixRow>& rows);

    /// Number of columns of a block that is mixed at once: 1 KB of float32 per row.
    static constexpr std::size_t BLOCK = 256;

  private:
    struct Parts;

    std::unique_ptr<Parts> m_parts; ///< the rows of the round, prepared for mixing
};

} // namespace dpdl

#endif // DPDL_TRAINING_GOSSIP_H
