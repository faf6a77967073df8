// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_HELD_RELEASES_H
#define DPDL_TEST_HELD_RELEASES_H

#include "dpdl/training/local-step.h"

#include <cmath>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
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

/// Everything as the worker's context has it, but the releases.
class HeldContext : public StepContext
{
  public:
    explicit HeldContext(StepContext& inner)
        : m_inner(inner)
    {
    }

    const ModelSpec& Model() const override
    {
        return m_inner.Model();
    }

    Batch Draw(const NodeJob& job, std::uint32_t iteration) override
    {
        return m_inner.Draw(job, iteration);
    }

    float* Scratch(std::size_t index) override
    {
        return m_inner.Scratch(index);
    }

    BatchResult GradientSum(const float* at, const Batch& batch, float* sum) override
    {
        return m_inner.GradientSum(at, batch, sum);
    }

    BoundedSum ClippedSum(NodeJob& job,
                          const Batch& batch,
                          const float* at,
                          const ClipRule& rule) override
    {
        return m_inner.ClippedSum(job, batch, at, rule);
    }

    BoundedSum ClipMean(const ClipRule& rule, float* mean, ClipOutcome* outcome) override
    {
        return m_inner.ClipMean(rule, mean, outcome);
    }

    float* AddNoise(const BoundedSum& sum,
                    NodeJob& job,
                    std::uint32_t iteration,
                    double multiple) override
    {
        float* const noisy = m_inner.AddNoise(sum, job, iteration, multiple);
        g_held.Hold(noisy, sum.Size(), job, iteration);
        return noisy;
    }

  private:
    StepContext& m_inner;
};

/// A step of an algorithm whose releases are held.
class HeldStep : public LocalStep
{
  public:
    explicit HeldStep(std::shared_ptr<const LocalStep> inner)
        : m_inner(std::move(inner))
    {
    }

    std::uint32_t Iterations() const override
    {
        return m_inner->Iterations();
    }

    std::size_t MemoryVectors() const override
    {
        return m_inner->MemoryVectors();
    }

    bool IsPlain() const override
    {
        return m_inner->IsPlain();
    }

    bool ProtectsOwnPart() const override
    {
        return m_inner->ProtectsOwnPart();
    }

    void Run(StepContext& context, NodeJob& job) const override
    {
        HeldContext held(context);
        m_inner->Run(held, job);
    }

  private:
    std::shared_ptr<const LocalStep> m_inner;
};

} // namespace dpdl

#endif // DPDL_TEST_HELD_RELEASES_H
