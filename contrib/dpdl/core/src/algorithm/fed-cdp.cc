// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"
#include "built-in-algorithms.h"
#include "dpdl/training/clip-rule.h"
#include "dpdl/training/local-step.h"

#include <cmath>

namespace dpdl
{

namespace
{

/**
 * @brief Several gradient steps per round, with each gradient clipped tensor by tensor (Wei et al.,
 *        ICDCS 2021, Fed-CDP).
 *
 * z <- z - stepSize * (sum_j c(g_j) + N) / divisor, with its own batch and fresh noise each time. c
 * clips each of the model's T tensors to clip / sqrt(T). A whole clipped gradient then has an L2
 * norm of at most clip, the sensitivity of the sum to one example.
 */
class TensorClipStep : public LocalStep
{
  public:
    /// @param iterations L, gradient steps per round, at least 1
    explicit TensorClipStep(std::uint32_t iterations)
        : m_iterations(iterations)
    {
    }

    std::uint32_t Iterations() const override
    {
        return m_iterations;
    }

    void Run(StepContext& context, NodeJob& job) const override
    {
        const LocalUpdate& update = job.update;
        const auto tensors = static_cast<double>(context.Model().Parameters().size());
        ClipRule rule;
        rule.bound = update.clip / std::sqrt(tensors);
        rule.perTensor = true;
        for (std::uint32_t iteration = 0; iteration < m_iterations; ++iteration)
        {
            const Batch batch = context.Draw(job, iteration);
            const BoundedSum sum = context.ClippedSum(job, batch, job.state->Data(), rule);
            AddStep(update, context.AddNoise(sum, job, iteration), *job.state);
        }
    }

  private:
    std::uint32_t m_iterations; ///< L
};

} // namespace

void
AddFedCdp(Registry<Algorithm>& registry)
{
    AddAlgorithm(registry,
                 {"fed-cdp",
                  "several local steps, gradients clipped tensor by tensor, then gossip",
                  "Wei et al., ICDCS 2021 (arXiv:2305.06473); re-implementation",
                  "",
                  "",
                  {{"clip/sqrt(T)", "", "bound of each of the model's T tensors"},
                   {"evidence",
                    "",
                    "authors' code for clipping and noise; gossip in place of the server and few "
                    "iterations are choices"}}},
                 {{{{"iterations", 5.0, 1.0, 1000.0, "L, local steps a round", true}}},
                  [](const HyperParameters& hyper) {
                      AlgorithmPreset preset = BaselinePreset(0.2, 4.0);
                      preset.step = std::make_shared<TensorClipStep>(hyper.Whole("iterations"));
                      return preset;
                  }});
}

void
AddFedAn(Registry<Algorithm>& registry)
{
    AddAlgorithm(registry,
                 {"fed-an",
                  "gradient push; noise falls with the rounds by a public schedule",
                  "named FedAN in Wu et al. (arXiv:2510.20157); its paper is not identified",
                  "",
                  "",
                  {{"evidence",
                    "",
                    "none: only that noise adapts to history; the schedule is a choice that needs "
                    "no data"}}},
                 {{{{"decay", 1.0, 0.0, 100.0, "sigma_k = sigma_0 / (1 + decay k/K)"}}},
                  [](const HyperParameters& hyper) {
                      AlgorithmPreset preset = BaselinePreset(1.0, 2.0);
                      preset.schedule =
                          [decay = hyper["decay"]](RoundShape& shape, Round round, Round rounds) {
                              shape.strength = 1.0 + decay * round / static_cast<double>(rounds);
                          };
                      return preset;
                  }});
}

} // namespace dpdl
