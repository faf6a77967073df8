// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"
#include "built-in-algorithms.h"
#include "dpdl/topology/topologies.h"

#include <memory>
#include <string>

namespace dpdl
{

namespace
{

constexpr Round LONGEST_PHASE = 1'000'000;
constexpr double LEAST_CLIENTS = 1e-6;

/// A constant schedule with a step in the first round of every phase alone.
class PhasedSchedule : public RoundSchedule
{
  public:
    /// @param phase rounds of a phase; 0: the run is one
    explicit PhasedSchedule(Round phase)
        : m_phase(phase)
    {
    }

    RoundShape At(const AlgorithmPreset& preset, Round round, Round /*rounds*/) const override
    {
        RoundShape shape;
        shape.stepSize = preset.stepSize;
        shape.learns = (m_phase == 0 ? round : round % m_phase) == 0;
        if (preset.isPrivate)
        {
            shape.clip = preset.clip;
            shape.unit = preset.clip;
        }
        return shape;
    }

  private:
    Round m_phase; ///< rounds of a phase; 0: the run is one
};

/// Turns a preset into that of federated averaging.
AlgorithmPreset
WithServer(AlgorithmPreset preset, const HyperParameters& hyper)
{
    preset.schedule = std::make_shared<PhasedSchedule>(2);
    preset.step = MakeLocalSteps(hyper.Whole("iterations"));
    preset.exchange = Exchange::SERVER;
    preset.clients = hyper["clients"];
    preset.serverLearns = hyper["server"] > 0.0;
    return preset;
}

void
AddAveraging(Registry<Algorithm>& registry,
             const std::string& name,
             const std::string& summary,
             const std::string& source,
             const AlgorithmPreset& preset)
{
    AddAlgorithm(registry,
                 {name,
                  summary,
                  source,
                  "",
                  "",
                  {{"topology", SERVER_GRAPH, "node 0; the user's topology is not used"},
                   {"rounds",
                    "",
                    "two are one of the algorithm: to the server, and back; nodes step in the "
                    "first"}}},
                 {{{{"iterations", 1.0, 1.0, 1000.0, "L, local steps between two exchanges", true},
                    {"clients",
                     1.0,
                     LEAST_CLIENTS,
                     1.0,
                     "probability that a node steps before an exchange, by public coins"},
                    {"server", 1.0, 0.0, 1.0, "1: node 0 learns as well; 0: it averages", true}}},
                  [preset](const HyperParameters& hyper) { return WithServer(preset, hyper); }});
}

} // namespace

void
AddPhased(Registry<Algorithm>& registry)
{
    AlgorithmPreset plain;
    plain.stepSize = 0.5;
    AddAveraging(registry,
                 "fedavg",
                 "reference: federated averaging by a server at node 0, not private",
                 "McMahan et al., AISTATS 2017 (arXiv:1602.05629), Algorithm 1",
                 plain);
    AddAveraging(
        registry,
        "dp-fedavg",
        "reference: the same; every node adds its noise itself, and trusts no server",
        "McMahan et al., AISTATS 2017, with the clip and noise of DP-SGD (arXiv:1607.00133)",
        BaselinePreset(1.0, 2.0));
    AddAlgorithm(
        registry,
        {"muffliato",
         "one noisy step in the first round of a phase, then gossip alone",
         "Cyffers et al., NeurIPS 2022 (arXiv:2206.05091); the noisy inputs are gradient steps "
         "here",
         "",
         ""},
        {{{{"phase", 0.0, 0.0, LONGEST_PHASE, "rounds of a phase; 0: the run is one", true}}},
         [](const HyperParameters& hyper) {
             AlgorithmPreset preset = BaselinePreset(1.0, 2.0);
             preset.schedule = std::make_shared<PhasedSchedule>(hyper.Whole("phase"));
             return preset;
         }});
}

} // namespace dpdl
