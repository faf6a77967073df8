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

/// One summand of a mixing step, for all coordinates or for those of a chunk.
struct MixTerm
{
    ParameterHandle source; ///< vector that is added
    /// Factor on the vector; for push-sum a_ij w_j / w_i, computed in double.
    double coefficient{0.0};
    std::size_t begin{0};                                     ///< first coordinate of the chunk
    std::size_t end{std::numeric_limits<std::size_t>::max()}; ///< one past the last coordinate
    bool isHeard{false}; ///< true: received from another node; see MixByRule()
};

/**
 * @brief out = sum over the terms of coefficient * source, in the order of the terms.
 *
 * Products and sums are float32, and the coefficient is rounded to float32 once. The result depends
 * only on the terms and their order: mixing chunk by chunk with the same coefficients is
 * bit-identical. It takes one pass over memory for any number of terms.
 *
 * @param terms summands; the sources have the length of @p out and are not @p out itself; no terms
 *        give zero. Terms of the same coordinates are adjacent, and each coordinate belongs to one
 *        such group.
 * @param[out] out receives the sum
 */
void MixParameters(const std::vector<MixTerm>& terms, ParameterVector& out);

/// Turns the sum s of the terms into gamma s + (1 - gamma) last (Cyffers et al., NeurIPS 2022,
/// Algorithm 1). @param[in,out] terms at least one, all of the same coordinates @param last the
/// node's vector before the previous mixing step @param gamma factor on the new sum
void AddMomentum(std::vector<MixTerm>& terms, const ParameterHandle& last, double gamma);

/// MixParameters() with products and sums in double precision, rounded to float32 once.
void MixExactly(const std::vector<MixTerm>& terms, ParameterVector& out);

/**
 * @brief Relative distance of the float32 result of MixParameters from the sum in double precision.
 *
 * Looks at 16 coordinates that are evenly spaced over the vector.
 *
 * @param terms summands of the mix
 * @param out result of MixParameters()
 * @return the largest |double sum - out| relative to the largest |double sum|; 0 without terms or
 *         if all is zero
 */
double MixingError(const std::vector<MixTerm>& terms, const ParameterVector& out);

/// One mixed vector of a round, and its terms.
struct MixRow
{
    const std::vector<MixTerm>* terms{nullptr}; ///< summands, adjacent if of the same coordinates
    ParameterVector* out{nullptr};              ///< receives the sum
    double error{0.0};                          ///< result: rounding error by MixingError()
};

/**
 * @brief Mixes the vectors of many nodes at once: one sparse matrix times all their sources.
 *
 * Mixing node by node reads every source from memory once per use. Here all nodes mix one block of
 * columns, which stays in the cache, and then the next block. Each vector is bit-identical to the
 * result of MixParameters(). Memory is reused from round to round.
 */
class RoundMix
{
  public:
    RoundMix();
    ~RoundMix();
    RoundMix(const RoundMix&) = delete;
    RoundMix& operator=(const RoundMix&) = delete;

    /**
     * @brief Begins a round.
     * @param rows all of one length; no row's output is a source of any row, or the output of
     *        another one. They stay unchanged until Finish()
     */
    void Begin(std::vector<MixRow>& rows);

    /// Length of the rows; 0 if there are no rows.
    std::size_t Length() const;

    /**
     * @brief Mixes some columns of all rows. Different columns may be mixed by different threads.
     * @param begin the first column; best a multiple of BLOCK
     * @param end one past the last column, at most Length()
     */
    void MixColumns(std::size_t begin, std::size_t end);

    /// Ends the round after all columns are mixed: fills in the errors of the rows.
    void Finish();

    /// Mixes all columns on this thread. @param rows as for Begin()
    void Mix(std::vector<MixRow>& rows);

    /// Columns of a row that are mixed at a time, 1 KB.
    static constexpr std::size_t BLOCK = 256;

  private:
    struct Parts;

    std::unique_ptr<Parts> m_parts; ///< the rows of the round, prepared for mixing
};

} // namespace dpdl

#endif // DPDL_TRAINING_GOSSIP_H
