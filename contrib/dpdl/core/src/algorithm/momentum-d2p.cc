// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-algorithms.h"

namespace dpdl
{

namespace
{

/// Local step with momentum: m <- beta m + (S + N); z <- z - gamma m / B. S is the clipped gradient
/// sum, N its noise, beta the momentum factor, gamma the step size and B the expected batch size. m
/// is a function of noisy sums, so it costs no additional privacy (post-processing).
class MomentumStep : public LocalStep
{
  public:
    explicit MomentumStep(double beta)
        : m_beta(static_cast<float>(beta))
    {
    }

    std::size_t MemoryVectors() const override
    {
        return 1;
    }

    void Run(StepContext& context, NodeJob& job) const override
    {
        const LocalUpdate& update = job.update;
        const std::size_t count = job.state->Size();
        const Batch batch = context.Draw(job, 0);
        const BoundedSum sum =
            context.ClippedSum(job, batch, job.state->Data(), WholeGradientRule(job));
        const float* const gradient = context.AddNoise(sum, job, 0);
        float* momentum = job.memory[0]->Data();
        for (std::size_t i = 0; i < count; ++i)
        {
            momentum[i] = m_beta * momentum[i] + gradient[i];
        }
        AddStep(update, momentum, *job.state);
    }

  private:
    float m_beta; ///< momentum factor beta
};

} // namespace

void
AddMomentumD2p(Registry<Algorithm>& registry)
{
    AddAlgorithm(registry,
                 {"momentum-d2p",
                  "gradient push with momentum over private gradients; constant clip and noise",
                  "no paper: the example of doc/adding-a-mechanism.md"},
                 {{{{"momentum", 0.9, 0.0, 0.999, "beta: m <- beta m + g, z <- z - gamma m"}}},
                  [](const HyperParameters& hyper) {
                      AlgorithmPreset preset;
                      preset.isPrivate = true;
                      preset.stepSize = 0.1;
                      preset.clip = 2.0;
                      preset.step = std::make_shared<MomentumStep>(hyper["momentum"]);
                      return preset;
                  }});
}

} // namespace dpdl
