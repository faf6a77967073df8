// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "unclipped-schedule.h"

#include "dpdl/algorithm/algorithm-preset.h"

namespace dpdl
{

UnclippedSchedule::UnclippedSchedule(double unit)
    : m_unit(unit)
{
}

RoundShape
UnclippedSchedule::At(const AlgorithmPreset& preset, Round /* round */, Round /* rounds */) const
{
    RoundShape shape;
    shape.unit = m_unit;
    shape.stepSize = preset.stepSize;
    return shape;
}

} // namespace dpdl
