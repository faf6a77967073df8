// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_ALGORITHM_PRESET_H
#define DPDL_ALGORITHM_ALGORITHM_PRESET_H

#include "dpdl/algorithm/assumption.h"
#include "dpdl/algorithm/loss-policy.h"
#include "dpdl/algorithm/round-schedule.h"
#include "dpdl/algorithm/sensitivity-estimate.h"
#include "dpdl/base/correlated-noise.h"
#include "dpdl/privacy/claim.h"
#include "dpdl/privacy/release.h"
#include "dpdl/topology/graph-sequence.h"
#include "dpdl/training/gradient-step.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

/// What a node sends in a round.
enum class GossipOrder
{
    STEP_FIRST, ///< z^{k+1/2}: a node steps, then sends; x^{k+1} = P (x^k - gamma g)
    SEND_FIRST, ///< z^k: messages travel while the node steps; x^{k+1} = P x^k - gamma g
};

/// What the nodes give to each other.
enum class Exchange
{
    MODELS,   ///< their models, over the topology
    NOTHING,  ///< each node learns alone
    EXAMPLES, ///< their examples, to the first node, which learns alone
    SERVER,   ///< their models, by way of a server at the first node
};

/**
 * @brief A published algorithm as a composition of parts: schedule, local step, what is shared, and
 *        what its claim rests on.
 *
 * All that voids or weakens the algorithm's privacy is declared here alone: the ledger, the
 * accountants and the validity monitor act on the declaration.
 */
struct AlgorithmPreset
{
    bool isPrivate{false}; ///< false: no noise is calibrated, and nothing is claimed
    double stepSize{0.0};  ///< gamma, on the mean gradient
    double clip{0.0};      ///< C_0, the bound on one sample's gradient
    double clipDecay{1.0}; ///< rho_c >= 1, for schedules that use it
    double muGrowth{1.0};  ///< rho_mu >= 1, for schedules that use it
    /// False: what a node keeps to itself carries all of its examples into every release, so that
    /// drawing batches at random amplifies nothing. The ledger then says that all took part.
    bool isAmplified{true};
    /// Parts of the examples from which Poisson batches are drawn in turn; see MakeCyclicSampler().
    std::size_t sampledParts{1};
    /// Flags of every release of the algorithm, such as DATA_DEPENDENT_SCALE or BATCH_CLIP.
    ReleaseFlag flags{ReleaseFlag::NONE};
    /// Further flags in mode paper.
    ReleaseFlag paperFlags{ReleaseFlag::NONE};
    /// The claim's assumption apart from the mechanism; if it fails, the claim is infinite.
    std::vector<Assumption> claimRestsOn{};
    /// Of an algorithm that the program brought: why its releases are those of the plan, as its
    /// author says; goes into the trace, for what is certified rests on it.
    std::string argument{};
    /// Formula of the paper's claim; calibrates the noise in mode paper.
    std::shared_ptr<const Claim> claim{MakeCltClaim()};
    /// Noise / unit at strength 1, in both modes, whatever the budget is; 0: calibrated to it.
    double noiseMultiplier{0.0};
    /// The only noise source that the algorithm may have; empty: the user's.
    std::string noiseSource{};
    /// Makes the correlation of noise over nodes or rounds, for a topology and a number of rounds;
    /// empty: no release has noise that another one has.
    std::function<NoiseMix(const GraphSequence& graph, Round rounds)> correlate{};
    /// All releases of a round have the same deviation, since nodes share noise: the largest that
    /// any of them needs.
    bool sharesNoise{false};
    /// Rule by which noise of mode paper follows an estimated sensitivity; empty: it does not.
    std::shared_ptr<const SensitivityRule> sensitivity{};
    /// Clip bound, noise and step size of each round.
    std::shared_ptr<const RoundSchedule> schedule{std::make_shared<GeometricSchedule>()};
    /// Makes a schedule of the file of option `scheduleFile`; empty: the algorithm has its own.
    std::function<std::shared_ptr<const RoundSchedule>(const std::string& path)> readSchedule{};
    /// Local update of a node in a round.
    std::shared_ptr<const LocalStep> step{std::make_shared<GradientStep>()};
    GossipOrder order{GossipOrder::STEP_FIRST}; ///< whether a node steps before it sends
    Exchange exchange{Exchange::MODELS};        ///< other than MODELS: decides the topology
    /// Whether node 0 of exchange SERVER steps as well; its examples are not used otherwise.
    bool serverLearns{true};
    /// Probability, in (0, 1], that a node steps in a round in which the schedule has a step. The
    /// coins, one for each node and round, are public, so that they amplify nothing.
    double clients{1.0};
    /// Default compression of messages; see MakeCompressor().
    std::string compress{"none"};
    /// Compressed messages are differences to what receivers have, whatever the compressor is.
    bool sendsDifferences{false};
    /// rho in (0, 1]: mixing is (1 - rho) I + rho P; 0: as the compressor needs it.
    double mixingRate{0.0};
    /// Makes the topology that the algorithm is defined with; empty: the user's.
    std::function<std::string(std::size_t nodes)> topology{};
    /// The only loss policy that the algorithm may have; empty: the user's.
    std::optional<LossPolicy> lossPolicy{};
    /// Fragments of the model, each of which goes to out-neighbours of its own; 0: all that
    /// travels goes to the same ones. The topology is then one that is drawn anew in every round.
    std::size_t fragments{0};
    /// Nodes push a second vector, whose sum over the nodes losses do not change. It follows the
    /// model in their states.
    bool tracks{false};
    /// Of models each node takes the weighted mean of what arrived, whatever the loss policy is.
    bool pullsModels{false};
    /// Only for graphs in which every node hears as much as it sends; others are refused.
    bool doublyStochastic{false};
    /// Parts of the model that travel, from its first on (see ModelSpec::PartEnd); 0: all of it.
    std::size_t sharedLayers{0};
};

/// Vectors of [ParameterCount()] in a node's state: the model, and its tracker if it has one.
inline std::size_t
StateVectors(const AlgorithmPreset& preset)
{
    return preset.tracks ? 2 : 1;
}

} // namespace dpdl

#endif // DPDL_ALGORITHM_ALGORITHM_PRESET_H
