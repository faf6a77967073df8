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

/// Assumptions of a claimed epsilon. A network or a node may violate them during a run.
enum class Assumption
{
    /// The union of the links of any B consecutive rounds is strongly connected.
    B_STRONG_CONNECTIVITY,
    SHARES_IN_TIME, ///< every share is mixed in the round in which it was sent
    SHARES_ONCE,    ///< a share is delivered at most once
    MAXIMUM_HEARD,  ///< every node received the largest sensitivity estimate of the round (DPPS)
    NODES_PRESENT,  ///< no node crashes during the run
    PRIVACY_BUDGET, ///< the privacy budget admits every planned release
    NODES_HONEST,   ///< every node sends its true state
    SECRETS_KEPT,   ///< only the peers that share a secret know it
};

/// All assumptions, by their name in the trace's view `violation`.
const Registry<Assumption>& Assumptions();

/// Parameters of one round before the noise is calibrated.
struct RoundShape
{
    /// L2 clip norm C_k of one gradient; infinity: no clipping.
    double clip{std::numeric_limits<double>::infinity()};
    /// Noise standard deviation at noise multiplier 1: the clip norm C_k or, without clipping, a
    /// bound G on the gradient norm that the user states.
    double unit{0.0};
    /// Ratio mu_k of `unit` to the noise standard deviation, relative to other rounds. Calibration
    /// determines the factor common to all rounds.
    double strength{1.0};
    double stepSize{0.0}; ///< step size gamma_k: factor on the mean gradient
    bool learns{true};    ///< false: no node steps, and nothing is released
};

/**
 * @brief Changes the parameters of a round. ShapeOf() has computed them from the preset's step
 *        size, clip norm and geometric factors.
 *
 * The function must use public numbers only, never data, as the accountants require.
 * @param[in,out] shape parameters of round k
 * @param round index k of the round, from 0, below @p rounds
 * @param rounds number of rounds K
 */
using RoundSchedule = std::function<void(RoundShape& shape, Round round, Round rounds)>;

/// Order of local step and sending in a round. Notation: model x, mixing matrix P, step size gamma,
/// gradient g.
enum class GossipOrder
{
    STEP_FIRST, ///< a node steps, then sends its model: x^{k+1} = P (x^k - gamma g)
    /// A node sends its model x^k and steps while the messages travel: x^{k+1} = P x^k - gamma g.
    SEND_FIRST,
};

/// Kind of data that nodes exchange, and their peers.
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
 * A preset must declare every property that weakens the algorithm's privacy. The ledger, the
 * accountants and the validity monitor use this declaration.
 */
struct AlgorithmPreset
{
    bool isPrivate{false}; ///< false: no noise is calibrated, and no epsilon is claimed
    double stepSize{0.0};  ///< step size gamma: factor on the mean gradient
    double clip{0.0};      ///< L2 clip norm C_0 of one example's gradient
    /// rho_c >= 1: the clip norm falls from C_0 to C_0 / rho_c over the run.
    double clipDecay{1.0};
    /// rho_mu >= 1: mu (clip norm / noise standard deviation) grows from mu_0 to mu_0 rho_mu over
    /// the run.
    double muGrowth{1.0};
    /// True: random batches amplify privacy. False: a node's local state depends on all of its
    /// examples and enters every release, so the ledger records that every example took part.
    bool isAmplified{true};
    /// Number of parts of a node's examples. Poisson batches are drawn from one part per step,
    /// cyclically; see MakeCyclicSampler().
    std::size_t sampledParts{1};
    /// Flags of every release of the algorithm, such as DATA_DEPENDENT_SCALE or BATCH_CLIP.
    ReleaseFlag flags{ReleaseFlag::NONE};
    /// Flags of every release in mode paper, in addition to `flags`.
    ReleaseFlag paperFlags{ReleaseFlag::NONE};
    /// Assumptions of the claim about the network and the nodes. If a run violates one of them, the
    /// claimed epsilon is infinite.
    std::vector<Assumption> claimRestsOn{};
    /// Argument by the author of a custom algorithm that its releases are those of the plan;
    /// otherwise empty. The trace stores it, because the certified epsilon depends on it.
    std::string argument{};
    /// Formula of the paper for epsilon, which calibrates the noise in mode paper.
    Claim claim{};
    /// Fixed noise multiplier: noise standard deviation divided by RoundShape::unit, if
    /// RoundShape::strength is 1. The multiplier applies in both modes, regardless of the privacy
    /// budget. 0: the noise is calibrated to the budget.
    double noiseMultiplier{0.0};
    /// Name of the only noise source that the algorithm supports; empty: the user chooses.
    std::string noiseSource{};
    /// Makes the correlation of noise over nodes or rounds, for a topology and a number of rounds;
    /// empty: the noise of all releases is independent.
    std::function<NoiseMix(const GraphSequence& graph, Round rounds)> correlate{};
    /// True: nodes share noise, so all releases of a round have the same noise standard deviation,
    /// the largest that any node needs.
    bool sharesNoise{false};
    /// Rule that scales the noise by an estimated sensitivity, in mode paper; empty: the noise has
    /// the planned standard deviation or scale.
    std::shared_ptr<const SensitivityRule> sensitivity{};
    /// Changes clip norm, noise standard deviation and step size of a round after ShapeOf() has
    /// computed them; empty: no change.
    RoundSchedule schedule{};
    /// True: users may set the factors clipDecay and muGrowth, although the algorithm has a
    /// schedule. False: an algorithm with a schedule has the factors 1.
    bool refinesFactors{false};
    /// Makes a schedule from the file of option `scheduleFile`; empty: the option is not supported.
    std::function<RoundSchedule(const std::string& path)> readSchedule{};
    /// Local update of a node in each round in which it steps.
    std::shared_ptr<const LocalStep> step{std::make_shared<GradientStep>()};
    GossipOrder order{GossipOrder::STEP_FIRST}; ///< order of local step and sending
    /// Kind of exchanged data; any value except MODELS also determines the topology.
    Exchange exchange{Exchange::MODELS};
    /// Only for exchange SERVER. True: node 0, the server, also steps. False: its examples are not
    /// used.
    bool serverLearns{true};
    /// Probability, in (0, 1], that a node takes a planned step. Public randomness decides this for
    /// each node and round, so the choice of nodes does not amplify privacy.
    double clients{1.0};
    /// Largest weight of a node at the server: a node with n_k examples has the weight min(n_k,
    /// cap). 1: equal weights; infinity: weights n_k.
    double cap{1.0};
    /// True: uses Chebyshev-accelerated gossip if the run supports it; see GossipMomentum().
    bool accelerates{false};
    /// Default of option `compress`, the compression of messages; see MakeCompressor().
    std::string compress{"none"};
    /// True: compressed messages are differences to the state that the receiver holds, for any
    /// compressor. False: only messages of sparse compressors are differences.
    bool sendsDifferences{false};
    /// rho in (0, 1]: nodes mix with (1 - rho) I + rho P, where P is the mixing matrix; 0: takes
    /// the value of the compressor.
    double mixingRate{0.0};
    /// Returns the value of option `topology` that the algorithm requires; empty: the user chooses.
    std::function<std::string(std::size_t nodes)> topology{};
    /// The only policy for lost messages that the algorithm supports; empty: the user chooses.
    std::optional<LossPolicy> lossPolicy{};
    /// Number of chunks of the model, each with separate random out-neighbours in every round
    /// (fragments in DivShare). 0: one set of out-neighbours for all shared parameters. A chunked
    /// model needs a topology that is redrawn in every round.
    std::size_t chunks{0};
    /// True: nodes also push a second vector, the gradient tracker, whose sum over the nodes does
    /// not change when messages are lost. In the state of a node, the tracker is stored after the
    /// model.
    bool tracks{false};
    /// True: a node's new model is the weighted mean of the models that arrived, under every policy
    /// for lost messages.
    bool pullsModels{false};
    /// True: the algorithm accepts only graphs whose mixing matrices are doubly stochastic.
    bool doublyStochastic{false};
    /// Number of leading parts of the model that are shared (see ModelSpec::Parts()); 0, or more
    /// than the model has: all parts.
    std::size_t sharedLayers{0};
};

/// True if users may choose clipDecay and muGrowth. If false, both factors are 1.
inline bool
HasGeometricFactors(const AlgorithmPreset& preset)
{
    return !preset.schedule || preset.refinesFactors;
}

/**
 * @brief Computes the parameters of round k as in Dyn-D2P, Algorithm 1, then applies the preset's
 *        schedule, if it has one.
 *
 * With rho_c = clipDecay and rho_mu = muGrowth, the clip norm is C_k = C_0 rho_c^(-k/K). The ratio
 * of clip norm to noise standard deviation is mu_k = mu_0 rho_mu^(k/K). The step size is constant.
 *
 * Without a schedule, and with both factors 1, all parameters are constant. The clip norm of an
 * algorithm that is not private is infinite.
 * @param preset algorithm, with the user's step size, clip norm and factors
 * @param round index k of the round, from 0, below @p rounds
 * @param rounds number of rounds K
 */
RoundShape ShapeOf(const AlgorithmPreset& preset, Round round, Round rounds);

/// Number of parameter vectors in a node's state: 2 with a gradient tracker, otherwise 1.
inline std::size_t
StateVectors(const AlgorithmPreset& preset)
{
    return preset.tracks ? 2 : 1;
}

} // namespace dpdl

#endif // DPDL_ALGORITHM_ALGORITHM_PRESET_H
