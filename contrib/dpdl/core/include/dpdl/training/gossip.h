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

/// One summand of mixing: a vector times a coefficient, for all coordinates or for one chunk.
struct MixTerm
{
    ParameterHandle source; ///< vector to add
    /// Factor on the vector. In push-sum it is a_ij w_j / w_i, with the mixing weight a_ij from
    /// node j to node i. w_j and w_i are the push-sum weights of j before and of i after mixing.
    double coefficient{0.0};
    std::size_t begin{0}; ///< first coordinate of the term
    /// Index past the last coordinate of the term.
    std::size_t end{std::numeric_limits<std::size_t>::max()};
    bool isHeard{false}; ///< true: another node sent the vector; see MixByRule()
};

/**
 * @brief Mixes: out = sum over the terms of coefficient * source, in the order of the terms.
 *
 * Coefficients are rounded to float32 once. Products and sums are float32. The result depends only
 * on the terms and their order, so mixing chunk by chunk with equal coefficients is bit-identical.
 * The function reads each source once and writes @p out once.
 *
 * @param terms summands; without summands the result is 0. The sources must have the length of @p
 *        out and must not be @p out. Terms of the same coordinates must be adjacent, and each
 *        coordinate must belong to exactly one such group of terms.
 * @param[out] out receives the sum
 */
void MixParameters(const std::vector<MixTerm>& terms, ParameterVector& out);

/// Adds momentum to mixing: changes the terms so that their sum s becomes gamma s + (1 - gamma)
/// last (Cyffers et al., NeurIPS 2022, Algorithm 1).
/// @param[in,out] terms at least one term, all of the same coordinates
/// @param last the node's vector before the previous mixing
/// @param gamma factor on the new sum, in [1, 2)
void AddMomentum(std::vector<MixTerm>& terms, const ParameterHandle& last, double gamma);

/// MixParameters() with products and sums in double precision. The result is rounded to float32
/// once.
void MixExactly(const std::vector<MixTerm>& terms, ParameterVector& out);

/**
 * @brief Relative rounding error of MixParameters(), compared with sums in double precision.
 *
 * The error is measured at 16 evenly spaced coordinates.
 *
 * @param terms summands of the mix
 * @param out result of MixParameters()
 * @return largest |double sum - out| of these coordinates, divided by the largest |double sum|; 0
 *         without terms, or if all sums are 0
 */
double MixingError(const std::vector<MixTerm>& terms, const ParameterVector& out);

/// Mixing of one node in a RoundMix.
struct MixRow
{
    /// Summands; must not change until RoundMix::Finish(). Terms of the same coordinates must be
    /// adjacent.
    const std::vector<MixTerm>* terms{nullptr};
    ParameterVector* out{nullptr}; ///< receives the sum
    /// Result of Finish(): relative rounding error of the sum, see MixingError().
    double error{0.0};
};

/**
 * @brief Mixes the vectors of all nodes of a round together: a sparse matrix of coefficients times
 *        the matrix of sources. The matrix of sources has one row per vector and one column per
 *        coordinate.
 *
 * RoundMix mixes a block of columns for all nodes while the block is in the cache, so it reads each
 * source from memory once per round. Each vector is bit-identical to the result of MixParameters().
 * Buffers are reused in the next round.
 */
class RoundMix
{
  public:
    RoundMix();
    ~RoundMix();

    /**
     * @brief Begins the mixing of a round.
     * @param rows rows of equal length, not changed until Finish(). The output of a row must not be
     *        a source of any row, or the output of another row
     */
    void Begin(std::vector<MixRow>& rows);

    /// Number of coordinates of each row; 0 without rows.
    std::size_t Length() const;

    /**
     * @brief Mixes a range of columns of all rows. Threads may mix different ranges concurrently.
     * @param begin first column; a multiple of BLOCK is fastest
     * @param end index past the last column, at most Length()
     */
    void MixColumns(std::size_t begin, std::size_t end);

    /// Ends the round after all columns are mixed, and sets MixRow::error of each row.
    void Finish();

    /// Mixes all columns on the calling thread: Begin(), MixColumns() and Finish().
    /// @param rows rows of equal length. The output of a row must not be a source of any row, or
    /// the output of another row
    void Mix(std::vector<MixRow>& rows);

    /// Number of columns of a block that is mixed at once: 1 KB of float32 per row.
    static constexpr std::size_t BLOCK = 256;

  private:
    struct Parts;

    std::unique_ptr<Parts> m_parts; ///< the rows of the round, prepared for mixing
};

} // namespace dpdl

#endif // DPDL_TRAINING_GOSSIP_H
