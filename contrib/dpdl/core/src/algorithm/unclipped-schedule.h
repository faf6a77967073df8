// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_UNCLIPPED_SCHEDULE_H
#define DPDL_ALGORITHM_UNCLIPPED_SCHEDULE_H

#include "dpdl/algorithm/round-schedule.h"

namespace dpdl
{

/// Nothing is clipped; step size and noise are the same in every round.
class UnclippedSchedule : public RoundSchedule
{
  public:
    /// @param unit what the noise is a multiple of, > 0
    explicit UnclippedSchedule(double unit);

    RoundShape At(const AlgorithmPreset& preset, Round round, Round rounds) const override;

  private:
    double m_unit; ///< of the noise
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_UNCLIPPED_SCHEDULE_H
