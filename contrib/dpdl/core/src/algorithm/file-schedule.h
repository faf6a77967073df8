// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_FILE_SCHEDULE_H
#define DPDL_ALGORITHM_FILE_SCHEDULE_H

#include "dpdl/algorithm/round-schedule.h"
#include "dpdl/base/table-file.h"

#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Any C_k and any relative noise, from a table (Dyn-D2P, Algorithm 2).
 *
 *     round,clip,noise
 *     0,7,1
 *     500,5,0.6
 *
 * Each row holds from its round on, until the next row. The noise is C_k / mu_k but for a factor
 * that calibration finds.
 */
class FileSchedule : public RoundSchedule
{
  public:
    /**
     * @param path of the table
     * @throws UsageError naming file, line and value if it cannot be read, does not begin with
     *         round 0, its rounds do not ascend, or a number is not above 0
     */
    explicit FileSchedule(const std::string& path);

    RoundShape At(const AlgorithmPreset& preset, Round round, Round rounds) const override;

  private:
    /// What holds from a round on.
    struct Part
    {
        Round from{0};     ///< first round
        double clip{0.0};  ///< C_k
        double noise{0.0}; ///< but for the common factor
    };

    void Add(const TableRow& row);

    std::vector<Part> m_parts; ///< by round
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_FILE_SCHEDULE_H
