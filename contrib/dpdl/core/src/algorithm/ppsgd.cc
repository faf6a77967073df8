// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"
#include "built-in-algorithms.h"
#include "dpdl/training/local-step.h"

#include <algorithm>

namespace dpdl
{

namespace
{

/**
 * @brief One gradient step of the shared parameters w and the personal parameters theta. The mean
 *        gradient of w is clipped as a whole and gets noise. The mean gradient of theta is used
 *        unchanged (Bietti et al., ICML 2022, PPSGD).
 *
 * w consists of the leading parts of the model that the algorithm or option sharedLayers selects.
 * The update is w <- w - stepSize * (c(mean_w) + N), theta <- theta - stepSize / alpha *
 * mean_theta. Means are sums of gradients, divided by the expected batch size. theta depends on raw
 * examples, and every gradient of w depends on theta. So only a bound on the whole message protects
 * an example.
 */
class PersonalStep : public LocalStep
{
  public:
    /// @param alpha divisor of the step size for theta, > 0
    explicit PersonalStep(double alpha)
        : m_alpha(alpha)
    {
    }

    void Run(StepContext& context, NodeJob& job) const override
    {
        const LocalUpdate& update = job.update;
        const std::size_t end = SharedCount(job);
        float* mean = context.Scratch(0);
        const Batch batch = context.Draw(job, 0);
        job.batch = context.GradientSum(job.state->Data(), batch, mean);
        // Steps theta separately: `personal` is 0 on w, so this step leaves w unchanged.
        float* personal = context.Scratch(1);
        std::fill_n(personal, end, 0.0F);
        std::copy(mean + end, mean + job.state->Size(), personal + end);
        LocalUpdate own = update;
        own.divisor *= m_alpha;
        AddStep(own, personal, *job.state);
        const auto scale = static_cast<float>(1.0 / update.divisor);
        std::transform(mean, mean + end, mean, [scale](float sum) { return scale * sum; });
        ReleaseMean(context, job, end, mean);
    }

  private:
    double m_alpha; ///< divisor alpha of the step size for theta
};

} // namespace

void
AddPpsgd(Registry<Algorithm>& registry)
{
    AddAlgorithm(registry,
                 {"ppsgd",
                  "a shared part that is gossiped with noise, and a personal one that never leaves",
                  "Bietti et al., ICML 2022 (arXiv:2202.05318); re-implementation",
                  {{"certified",
                    "",
                    "everything that others see, for all of a node's data at once (joint privacy)"},
                   {"evidence",
                    "",
                    "authors' code; gossip in place of the server and all nodes in every round are "
                    "choices"}}},
                 {{{{"sharedLayers",
                     1.0,
                     1.0,
                     1000.0,
                     "leading parts of the model that are shared",
                     true,
                     "sharedParts"},
                    {"alpha", 1.0, 1e-6, 1e6, "the personal part's step is stepSize / alpha"}}},
                  [](const HyperParameters& hyper) {
                      AlgorithmPreset preset = WholeUpdatePreset(0.5, 1.0);
                      preset.sharedLayers = hyper.Whole("sharedLayers");
                      preset.step = std::make_shared<PersonalStep>(hyper["alpha"]);
                      return preset;
                  }});
}

} // namespace dpdl
