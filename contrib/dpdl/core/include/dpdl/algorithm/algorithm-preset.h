// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_ALGORITHM_PRESET_H
#define DPDL_ALGORITHM_ALGORITHM_PRESET_H

#include "dpdl/algorithm/loss-policy.h"
#include "dpdl/algorithm/sensitivity-exchange.h"
#include "dpdl/base/correlated-noise.h"
#include "dpdl/base/registry.h"
#include "dpdl/base/release.h"
#include "dpdl/base/types.h"
#include "dpdl/privacy/claim.h"
#include "dpdl/topology/graph-sequence.h"
#include "dpdl/training/gradient-step.h"

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

/// Assumptions of a claimed epsilon that a network or a node may violate in a run.
enum class Assumption
{
    B_STRONG_CONNECTIVITY, ///< the links of any B consecutive rounds connect all nodes strongly
    SHARES_IN_TIME,        ///< a share is mixed in the round in which it was sent
    SHARES_ONCE,           ///< a share is delivered at most once
    MAXIMUM_HEARD,  ///< every node received the largest sensitivity estimate of the round (DPPS)
    NODES_PRESENT,  ///< no node crashes during the run
    PRIVACY_BUDGET, ///< the budget admits every release of the schedule
    NODES_HONEST,   ///< the node sends its true state
    SECRETS_KEPT,   ///< a node's shared secrets are known only to the peers that share them
};

/// All assumptions, by their name in the trace's view `violation`.
const Registry<Assumption>& Assumptions();

/// Parameters of one round before the noise is calibrated.
struct RoundShape
{
    /// L2 clip bound C_k of one gradient; infinity: no clipping.
    double clip{std::numeric_limits<double>::infinity()};
    /// Standard deviation of the noise at noise multiplier 1: the clip bound C_k, or a bound G that
    /// the user states.
    double unit{0.0};
    /// mu_k = unit / (standard deviation of the noise), up to a factor common to all rounds that
    /// calibration determines.
    double strength{1.0};
    double stepSize{0.0}; ///< step size gamma_k, on the mean gradient
    bool learns{true};    ///< false: no node steps, and nothing is released
};

/**
 * @brief Changes the parameters of a round, which ShapeOf() has computed from the preset's step
 *        size, clip bound and geometric factors.
 *
 * A function of public numbers only, never of data, as the accountants require.
 * @param[in,out] shape parameters of round k
 * @param round number k of the round, 0-based, below @p rounds
 * @param rounds number of rounds K
 */
using RoundSchedule = std::function<void(RoundShape& shape, Round round, Round rounds)>;

/// Order of local step and sending in a round. In the formulas P is the mixing matrix, gamma the
/// step size and g the gradient.
enum class GossipOrder
{
    STEP_FIRST, ///< a node steps, then sends z^{k+1/2}: x^{k+1} = P (x^k - gamma g)
    /// A node sends z^k, and steps while the messages travel: x^{k+1} = P x^k - gamma g.
    SEND_FIRST,
};

/// Data that nodes exchange, and with which nodes.
enum class Exchange
{
    MODELS,   ///< nodes exchange models, over the topology
    NOTHING,  ///< nodes exchange nothing: each learns alone
    EXAMPLES, ///< nodes send their examples to the first node, which learns alone
    SERVER,   ///< nodes exchange models through a server at the first node
};

/**
 * @brief A published algorithm as a composition of parts: schedule, local step, exchange, and the
 *        assumptions of its claim.
 *
 * Every property that voids or weakens the algorithm's privacy is declared here: the ledger, the
 * accountants and the validity monitor use this declaration.
 */
struct AlgorithmPreset
{
    bool isPrivate{false}; ///< false: no noise is calibrated, and no epsilon is claimed
    double stepSize{0.0};  ///< step size gamma, on the mean gradient
    double clip{0.0};      ///< L2 clip bound C_0 of one example's gradient
    /// Rho_c >= 1: the clip bound falls from C_0 to C_0 / rho_c over the run.
    double clipDecay{1.0};
    double muGrowth{1.0}; ///< rho_mu >= 1: mu grows from mu_0 to mu_0 rho_mu over the run
    /// False: a node's local state depends on all of its examples and enters every release, so
    /// random batches do not amplify privacy. The ledger then records that every example took part.
    bool isAmplified{true};
    /// Number of parts of the examples from which Poisson batches are drawn cyclically; see
    /// MakeCyclicSampler().
    std::size_t sampledParts{1};
    /// Flags of every release of the algorithm, such as DATA_DEPENDENT_SCALE or BATCH_CLIP.
    ReleaseFlag flags{ReleaseFlag::NONE};
    /// Flags of every release in mode paper, in addition to `flags`.
    ReleaseFlag paperFlags{ReleaseFlag::NONE};
    /// Assumptions of the claim about the network and the nodes. If a run violates one of them, the
    /// claimed epsilon is infinite.
    std::vector<Assumption> claimRestsOn{};
    /// For a custom algorithm: its author's argument that its releases are those of the plan. It is
    /// stored in the trace, since the certified epsilon depends on it.
    std::string argument{};
    /// Claim of the paper, whose formula calibrates the noise in mode paper.
    Claim claim{};
    /// Fixed noise multiplier at strength 1: standard deviation of the noise divided by
    /// RoundShape::unit. It applies in both modes, regardless of the privacy budget. 0: the noise
    /// is calibrated to the budget.
    double noiseMultiplier{0.0};
    /// The only noise source that the algorithm supports, by its name; empty: the user chooses.
    std::string noiseSource{};
    /// Makes the correlation of noise over nodes or rounds, for a topology and a number of rounds;
    /// empty: the noise of all releases is independent.
    std::function<NoiseMix(const GraphSequence& graph, Round rounds)> correlate{};
    /// True: nodes share noise, so all releases of a round have the same standard deviation, the
    /// largest that any of them needs.
    bool sharesNoise{false};
    /// Rule that scales the noise of mode paper by an estimated sensitivity; empty: it is not
    /// scaled.
    std::shared_ptr<const SensitivityRule> sensitivity{};
    /// Changes clip bound, noise and step size of a round; empty: ShapeOf() by the factors alone.
    RoundSchedule schedule{};
    /// True: users may also set the factors clipDecay and muGrowth, and the schedule changes the
    /// parameters that follow from them. False: both factors are 1.
    bool refinesFactors{false};
    /// Makes a schedule from the file of option `scheduleFile`; empty: the option is not supported.
    std::function<RoundSchedule(const std::string& path)> readSchedule{};
    /// Local update that a node makes in each round in which it steps.
    std::shared_ptr<const LocalStep> step{std::make_shared<GradientStep>()};
    GossipOrder order{GossipOrder::STEP_FIRST}; ///< order of local step and sending
    Exchange exchange{Exchange::MODELS}; ///< any value except MODELS also determines the topology
    /// True: node 0 of exchange SERVER also steps. False: its examples are not used.
    bool serverLearns{true};
    /// Probability, in (0, 1], that a node steps in a round in which the schedule has a step. A
    /// public coin per node and round decides this, so it does not amplify privacy.
    double clients{1.0};
    /// Largest weight of a node at a server: a node with n_k examples has the weight min(n_k, cap).
    double cap{1.0};
    /// True: gossip between two steps of a node is accelerated where GossipMomentum() allows it.
    bool accelerates{false};
    /// Default of option `compress`, the compression of messages; see MakeCompressor().
    std::string compress{"none"};
    /// True: compressed messages are differences to the state that the receiver holds, for any
    /// compressor. False: they are differences for sparse compressors only.
    bool sendsDifferences{false};
    /// rho in (0, 1]: nodes mix with (1 - rho) I + rho P, where P is the mixing matrix; 0: takes
    /// the value of the compressor.
    double mixingRate{0.0};
    /// Makes the specification of the topology that the algorithm prescribes; empty: the user
    /// chooses.
    std::function<std::string(std::size_t nodes)> topology{};
    /// The only policy for lost messages that the algorithm supports; empty: the user chooses.
    std::optional<LossPolicy> lossPolicy{};
    /// Chunks of the model, each with its own random out-neighbours in every round (DivShare's
    /// fragments); 0: all shared parameters go to the same out-neighbours. With chunks, the
    /// topology must be redrawn in every round.
    std::size_t chunks{0};
    /// True: nodes also push a second vector, the gradient tracker, whose sum over the nodes does
    /// not change when messages are lost. It is stored after the model in the state of a node.
    bool tracks{false};
    /// True: each node takes the weighted mean of the models that arrived, for any policy for lost
    /// messages.
    bool pullsModels{false};
    /// True: the algorithm accepts only graphs in which every node's weights in and out both sum to
    /// 1.
    bool doublyStochastic{false};
    /// Leading parts of the model that are shared (see ModelSpec::PartEnd); 0: all of it.
    std::size_t sharedLayers{0};
};

/// True if users may choose clipDecay and muGrowth of a private algorithm; otherwise both are 1.
inline bool
HasGeometricFactors(const AlgorithmPreset& preset)
{
    return !preset.schedule || preset.refinesFactors;
}

/**
 * @brief Parameters of round k: clip bound C_k = C_0 rho_c^(-k/K), mu_k = mu_0 rho_mu^(k/K), and a
 *        constant step size (Dyn-D2P, Algorithm 1). rho_c is clipDecay and rho_mu is muGrowth. The
 *        preset's schedule then changes these parameters.
 *
 * With both factors 1 and no schedule all parameters are constant. Without privacy there is no
 * clipping.
 * @param preset with the user's step size, clip bound and factors
 * @param round number k of the round, 0-based, below @p rounds
 * @param rounds number of rounds K
 */
RoundShape ShapeOf(const AlgorithmPreset& preset, Round round, Round rounds);

/// Number of vectors of length ParameterCount() in a node's state: the model, and its tracker if it
/// has one.
inline std::size_t
StateVectors(const AlgorithmPreset& preset)
{
    return preset.tracks ? 2 : 1;
}

} // namespace dpdl

#endif // DPDL_ALGORITHM_ALGORITHM_PRESET_H
