// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_ROUND_MIX_H
#define DPDL_TRAINING_ROUND_MIX_H

#include "dpdl/training/gossip.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace dpdl
{

/// One mixed vector of a round, and its terms.
struct MixRow
{
    const std::vector<MixTerm>* terms{nullptr}; ///< as for MixParameters()
    ParameterVector* out{nullptr};              ///< receives the sum
    double error{0.0};                          ///< result: MixingError()
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

    /// Length of the rows; 0 without any.
    std::size_t Length() const;

    /**
     * @brief Mixes some columns of all rows. Different columns may be mixed by different threads.
     * @param begin the first column; best a multiple of BLOCK
     * @param end behind the last column, at most Length()
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

#endif // DPDL_TRAINING_ROUND_MIX_H
