// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"
#include "built-in-algorithms.h"
#include "dpdl/training/local-step.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

/**
 * @brief Several sharpness-aware steps per round. They take the gradient at a point that is
 *        displaced from z along the last released gradient (after Foret et al., ICLR 2021, and Shi
 *        et al., ICML 2023).
 *
 * z <- z - stepSize * G / divisor, with G = sum_j c(grad f_j(z + rho H / |H|)) + N. Each step has a
 * new batch of examples j and independent noise N. c clips to the clip norm. H is the node's G of
 * the previous step, 0 at first. The point of the gradient depends only on released vectors, so one
 * example moves the sum by at most the clip norm. A displacement along a fresh gradient would need
 * a second release.
 */
class SamStep : public LocalStep
{
  public:
    /**
     * @param iterations L, steps per round, at least 1
     * @param radius rho, L2 distance of the gradient's point from z, at least 0
     * @param perTensor true: clip each of the model's T tensors to clip / sqrt(T)
     */
    SamStep(std::uint32_t iterations, double radius, bool perTensor)
        : m_iterations(iterations),
          m_radius(radius),
          m_perTensor(perTensor)
    {
    }

    std::uint32_t Iterations() const override
    {
        return m_iterations;
    }

    /// Number of vectors that the step keeps between rounds: 1 (H) if the radius is above 0, else
    /// 0.
    std::size_t MemoryVectors() const override
    {
        return m_radius > 0.0 ? 1 : 0;
    }

    void Run(StepContext& context, NodeJob& job) const override
    {
        const LocalUpdate& update = job.update;
        ClipRule rule = WholeGradientRule(job);
        if (m_perTensor)
        {
            rule.bound /= std::sqrt(static_cast<double>(context.Model().Parameters().size()));
            rule.perTensor = true;
        }
        for (std::uint32_t iteration = 0; iteration < m_iterations; ++iteration)
        {
            const Batch batch = context.Draw(job, iteration);
            const BoundedSum sum = context.ClippedSum(job, batch, PointOf(context, job), rule);
            const float* const gradient = context.AddNoise(sum, job, iteration);
            AddStep(update, gradient, *job.state);
            if (m_radius > 0.0)
            {
                std::copy_n(gradient, job.state->Size(), job.memory.front()->Data());
            }
        }
    }

  private:
    /// Point at which the next gradient is taken: z + rho H / |H|; z itself if H or the radius is
    /// zero.
    const float* PointOf(StepContext& context, const NodeJob& job) const
    {
        const float* state = job.state->Data();
        if (m_radius == 0.0)
        {
            return state;
        }
        const float* last = job.memory.front()->Data();
        const std::size_t size = job.state->Size();
        double square = 0.0;
        for (std::size_t i = 0; i < size; ++i)
        {
            square += static_cast<double>(last[i]) * last[i];
        }
        if (square == 0.0 || !std::isfinite(square))
        {
            return state;
        }
        const auto factor = static_cast<float>(m_radius / std::sqrt(square));
        float* point = context.Scratch(1);
        for (std::size_t i = 0; i < size; ++i)
        {
            point[i] = state[i] + factor * last[i];
        }
        return point;
    }

    std::uint32_t m_iterations; ///< number L of steps per round
    double m_radius;            ///< L2 distance rho of the gradient's point from z
    bool m_perTensor;           ///< true: each tensor is clipped separately
};

} // namespace

std::shared_ptr<const LocalStep>
MakeLocalSteps(std::uint32_t iterations, double radius, bool perTensor)
{
    return std::make_shared<SamStep>(iterations, radius, perTensor);
}

void
AddDfedsam(Registry<Algorithm>& registry)
{
    AddAlgorithm(
        registry,
        {"dfedsam",
         "several sharpness-aware local steps, then gossip; climbs along released gradients",
         "Shi et al., ICML 2023 (arXiv:2302.04083); re-implementation, made private here",
         {{"evidence",
           "",
           "abstract; not private as published: clip, noise and the released direction to climb "
           "in are choices"}}},
        {{{{"iterations", 5.0, 1.0, 1000.0, "L, local steps a round", true},
           {"radius", 0.05, 0.0, 100.0, "rho, distance of the gradient's point from z"}}},
         [](const HyperParameters& hyper) {
             AlgorithmPreset preset = BaselinePreset(0.2, 2.0);
             preset.step = MakeLocalSteps(hyper.Whole("iterations"), hyper["radius"]);
             return preset;
         }});
}

} // namespace dpdl
