// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"
#include "built-in-algorithms.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/topology/topologies.h"
#include "dpdl/training/local-step.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

// Algorithms with phases of several rounds. Nodes take a local step in the first round of each
// phase. The other rounds are gossip or a server's average.

namespace dpdl
{

namespace
{

constexpr Round LONGEST_PHASE = 1'000'000;
constexpr double LEAST_CLIENTS = 1e-6;

/// Schedule in which nodes step only in the first round of every phase.
/// @param phase number of rounds of a phase; 0: the whole run is one phase
RoundSchedule
Phased(Round phase)
{
    return [phase](RoundShape& shape, Round round, Round /* rounds */) {
        shape.learns = (phase == 0 ? round : round % phase) == 0;
    };
}

/**
 * @brief Clips the whole update of a node's model in a round (DP-FedAvg, McMahan et al., ICLR 2018,
 *        arXiv:1710.06963).
 *
 * y <- y - stepSize * mean(y), L times, starting at y = z; then z <- z - stepSize * (c((z - y) /
 * stepSize) + N). mean(y) is the sum of the gradients at y over the round's batch, divided by the
 * expected batch size. c clips to an L2 norm, and N is noise. y is discarded, so apart from the
 * noise the released update is in a ball of radius clip.
 */
class WholeUpdateStep : public LocalStep
{
  public:
    /// @param passes number L of gradient steps on the round's batch, at least 1
    explicit WholeUpdateStep(std::uint32_t passes)
        : m_passes(passes)
    {
    }

    void Run(StepContext& context, NodeJob& job) const override
    {
        const LocalUpdate& update = job.update;
        const float* z = job.state->Data();
        const std::size_t size = job.state->Size();
        const Batch batch = context.Draw(job, 0);
        float* y = context.Scratch(0);
        float* sum = context.Scratch(1);
        float* mean = context.Scratch(2);
        std::copy_n(z, size, y);
        std::fill_n(mean, size, 0.0F);
        const auto scale = static_cast<float>(1.0 / update.divisor);
        for (std::uint32_t pass = 0; pass < m_passes; ++pass)
        {
            job.batch += context.GradientSum(y, batch, sum);
            for (std::size_t i = 0; i < size; ++i)
            {
                mean[i] += scale * sum[i];
                y[i] = z[i] - static_cast<float>(update.stepSize) * mean[i];
            }
        }
        ReleaseMean(context, job, size, mean);
    }

  private:
    std::uint32_t m_passes; ///< number L of gradient steps per round
};

/// Noise that is independent between nodes. Its standard deviation is the planned one divided by
/// sqrt(nodes - colluders). So the sum of the noise of all nodes protects the sum of their updates,
/// even if @p colluders nodes reveal their noise.
/// @throws UsageError if no node is left that does not collude
NoiseMix
PartsOfNoise(std::size_t nodes, std::size_t colluders)
{
    DPDL_REFUSE_IF(colluders >= nodes,
                   "hyper-parameter 'colluders'",
                   std::to_string(colluders),
                   "fewer than the " + std::to_string(nodes) + " nodes");
    const double own = 1.0 / std::sqrt(static_cast<double>(nodes - colluders));
    NoiseMix mix;
    mix.nodes.assign(nodes, NodeNoise{own});
    mix.statement = "float32 noise of a seeded generator, a part of it from every node: what is "
                    "certified holds for who sees only what the server sends, and at most " +
                    std::to_string(colluders) +
                    " other nodes tell what they added; a simulation of privacy only";
    mix.figures = {{"colluders", static_cast<double>(colluders)}, {"noise_own", own}};
    return mix;
}

/// Changes a preset so that nodes show their updates to a trusted server only. An observer then
/// sees only sums over all nodes.
/// @throws UsageError for hyper-parameters with which an observer sees more: local iterations that
///        are separate releases, drawn clients, a server that does not learn, unequal weights
void
TrustServer(AlgorithmPreset& preset, const HyperParameters& hyper)
{
    const bool isWhole = HasFlag(preset.flags, ReleaseFlag::BATCH_CLIP);
    for (const std::string name : {"iterations", "clients", "server", "cap"})
    {
        const bool mayDiffer = name == "iterations" && isWhole; // all iterations form one release
        DPDL_REFUSE_IF(hyper[name] != 1.0 && !mayDiffer,
                       "hyper-parameter '" + name + "'",
                       ShowNumber(hyper[name]),
                       "1 with trusted=1");
    }
    const AlgorithmPreset correlated = CorrelatedPreset();
    preset.claim = correlated.claim;
    preset.noiseSource = correlated.noiseSource;
    preset.flags = preset.flags | correlated.flags | ReleaseFlag::TRUSTED_SERVER;
    preset.sharesNoise = true;
    const std::size_t colluders = hyper.Whole("colluders");
    preset.correlate = [colluders](const GraphSequence& graph, Round /* rounds */) {
        return PartsOfNoise(graph.Nodes(), colluders);
    };
}

/// Turns a preset into a preset of federated averaging by a server.
AlgorithmPreset
WithServer(AlgorithmPreset preset, const HyperParameters& hyper)
{
    const std::uint32_t iterations = hyper.Whole("iterations");
    preset.step = MakeLocalSteps(iterations);
    if (preset.isPrivate && hyper.Whole("clipUpdate") == 1)
    {
        const auto claim = preset.claim;
        preset = WholeUpdatePreset(preset.stepSize, preset.clip);
        preset.claim = claim;
        preset.step = std::make_shared<WholeUpdateStep>(iterations);
    }
    preset.schedule = Phased(2);
    preset.exchange = Exchange::SERVER;
    preset.clients = hyper["clients"];
    preset.cap = hyper["cap"] > 0.0 ? hyper["cap"] : std::numeric_limits<double>::infinity();
    preset.serverLearns = hyper["server"] > 0.0;
    if (preset.isPrivate && hyper.Whole("trusted") == 1)
    {
        TrustServer(preset, hyper);
    }
    return preset;
}

void
AddAveraging(Registry<Algorithm>& registry,
             const std::string& name,
             const std::string& summary,
             const std::string& source,
             const AlgorithmPreset& preset)
{
    constexpr double MOST = 1e6;
    std::vector<HyperParameter> declared{
        {"iterations", 1.0, 1.0, 1000.0, "L, local steps between two exchanges", true}};
    declared.push_back({"clients",
                        1.0,
                        LEAST_CLIENTS,
                        1.0,
                        "probability that a node steps before an exchange, by public coins"});
    const auto add = [&declared](const char* its, double usual, double most, const char* meaning) {
        declared.push_back({its, usual, 0.0, most, meaning, true});
    };
    add("server", 1.0, 1.0, "1: node 0 learns as well; 0: it averages");
    add("cap",
        preset.isPrivate ? 1.0 : 0.0,
        MOST,
        "nodes weigh min(n_k, cap) at the server; 1: alike; 0: n_k");
    if (preset.isPrivate)
    {
        add("trusted",
            0.0,
            1.0,
            "1: epsilon is for who sees only what the server sends, not what it hears");
        add("clipUpdate",
            0.0,
            1.0,
            "1: clips what a node's L steps do as a whole, not each gradient");
        add("colluders", 0.0, MOST, "with trusted=1: nodes that may tell what noise they added");
    }
    AddAlgorithm(
        registry,
        {name,
         summary,
         source,
         {{"topology", SERVER_GRAPH, "node 0; the user's topology is not used"},
          {"rounds",
           "",
           "two are one of the algorithm: to the server, and back; nodes step in the "
           "first"}}},
        {{declared}, [preset](const HyperParameters& hyper) { return WithServer(preset, hyper); }});
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
        "reference: fedavg whose nodes add their own noise, and trust no server unless told so",
        "McMahan et al., AISTATS 2017, with the clip and noise of DP-SGD (arXiv:1607.00133)",
        BaselinePreset(1.0, 2.0, NO_PRIVATE_PAPER));
    AddAlgorithm(
        registry,
        {"muffliato",
         "one noisy step in the first round of a phase, then gossip alone",
         "Cyffers et al., NeurIPS 2022 (arXiv:2206.05091), Algorithm 1; the noisy inputs are "
         "gradient steps here"},
        {{{{"phase", 0.0, 0.0, LONGEST_PHASE, "rounds of a phase; 0: the run is one", true},
           {"accelerate",
            1.0,
            0.0,
            1.0,
            "1: Chebyshev acceleration on a symmetric graph without loss; 0: plain gossip",
            true}}},
         [](const HyperParameters& hyper) {
             AlgorithmPreset preset = BaselinePreset(1.0, 2.0, NOT_REPRODUCED);
             preset.schedule = Phased(hyper.Whole("phase"));
             preset.accelerates = hyper.Whole("accelerate") == 1;
             return preset;
         }});
}

} // namespace dpdl
