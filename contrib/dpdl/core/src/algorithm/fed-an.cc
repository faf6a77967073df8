// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"
#include "built-in-algorithms.h"

namespace dpdl
{

namespace
{

/// The noise multiplier decays as 1 / (1 + decay k/K); clip bound and step size are constant.
class DecayingNoiseSchedule : public RoundSchedule
{
  public:
    explicit DecayingNoiseSchedule(double decay)
        : m_decay(decay)
    {
    }

    RoundShape At(const AlgorithmPreset& preset, Round round, Round rounds) const override
    {
        RoundShape shape;
        shape.stepSize = preset.stepSize;
        shape.clip = preset.clip;
        shape.unit = shape.clip;
        shape.strength = 1.0 + m_decay * round / static_cast<double>(rounds);
        return shape;
    }

  private:
    double m_decay; ///< decay of the noise multiplier
};

} // namespace

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
                      preset.schedule = std::make_shared<DecayingNoiseSchedule>(hyper["decay"]);
                      return preset;
                  }});
}

} // namespace dpdl
