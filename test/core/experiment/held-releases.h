// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_HELD_RELEASES_H
#define DPDL_TEST_HELD_RELEASES_H

#include "../changed-step.h"

#include <cmath>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace dpdl
{

/// What the steps of a run release, for a second run that is to release the same.
class ReleasesHeld
{
  public:
    enum class Mode
    {
        NOTED,    ///< the releases are those of the run, and are noted
        REPEATED, ///< what was noted takes their place: noise' = noise + what the example changed
        SHIFTED,  ///< the same, and nodes 1 and 2 move by opposite amounts: their sum is held alone
        FREE,     ///< nothing is certified, and nothing held
    };

    Mode mode{Mode::NOTED};
    bool onGrid{false}; ///< releases are rounded so that sums over nodes are exact in float32

    void Clear()
    {
        *this = ReleasesHeld();
    }

    void Hold(float* values, std::size_t size, const NodeJob& job, std::uint32_t iteration)
    {
        std::vector<float>& noted = m_sums[{job.node, job.round, iteration}];
        for (std::size_t i = 0; i < size && onGrid; ++i)
        {
            values[i] = std::round(values[i] * GRID) / GRID;
        }
        if (mode == Mode::NOTED)
        {
            noted.assign(values, values + size);
        }
        const float sign = job.node == 1 ? 1.0F : job.node == 2 ? -1.0F : 0.0F;
        const float shift = mode == Mode::SHIFTED ? sign * 0.5F : 0.0F;
        for (std::size_t i = 0; i < size && mode != Mode::FREE; ++i)
        {
            values[i] = noted.at(i) + shift;
        }
    }

  private:
    static constexpr float GRID = 16.0F;
    std::map<std::tuple<NodeId, Round, std::uint32_t>, std::vector<float>> m_sums;
};

/// Of the pair of runs that a test makes; their steps run in one thread.
inline ReleasesHeld g_held;

/// A step of an algorithm whose releases are held.
inline std::shared_ptr<const LocalStep>
HeldStep(const std::shared_ptr<const LocalStep>& inner)
{
    const auto hold =
        [](float* noisy, const BoundedSum& sum, const NodeJob& job, std::uint32_t iteration) {
            g_held.Hold(noisy, sum.Size(), job, iteration);
        };
    return std::make_shared<ChangedStep>(inner, hold);
}

} // namespace dpdl

#endif // DPDL_TEST_HELD_RELEASES_H
