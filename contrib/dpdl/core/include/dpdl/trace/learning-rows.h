// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_LEARNING_ROWS_H
#define DPDL_TRACE_LEARNING_ROWS_H

/**
 * @file
 * @brief Rows of a trace about models and privacy. Accuracies are in [0, 1].
 *
 * One struct per kind of row, named as its view (doc/formats/trace.md), and the description of its
 * table. Times are simulated seconds since the start of the run. The text of a string_view must
 * live until TraceStore::Add() returns.
 */

#include "dpdl/base/release.h"
#include "dpdl/base/types.h"
#include "dpdl/trace/row-table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dpdl
{

/// Accuracy and loss of the models after an evaluated round; view `accuracy_by_round`.
struct AccuracyByRound
{
    Round round{0};             ///< number of completed rounds
    double simulatedSeconds{0}; ///< time at which the last node had completed these rounds, s
    double accuracyMean{0};     ///< mean of the nodes' test accuracies, in [0, 1]
    double accuracyWorst{0};    ///< the worst node's test accuracy
    /// Test accuracy of the model whose parameters are the mean of all z.
    std::optional<double> accuracyOfMeanModel{};
    double lossMean{0}; ///< mean over the nodes of the mean loss (objective) on the test examples
    /// Root mean square of the L2 distance |z - mean z| over the nodes.
    std::optional<double> consensusDistance{};
    std::uint64_t testExamples{0}; ///< number of leading test examples that were used
};

template <>
inline constexpr auto TABLE<AccuracyByRound> =
    RowTable("accuracy_by_round",
             "evaluation",
             Column("round", &AccuracyByRound::round, OF_TIME),
             Column("simulated_seconds", &AccuracyByRound::simulatedSeconds, OF_TIME),
             Column("accuracy_mean", &AccuracyByRound::accuracyMean, OF_MODEL),
             Column("accuracy_worst", &AccuracyByRound::accuracyWorst, OF_MODEL),
             Column("accuracy_of_mean_model", &AccuracyByRound::accuracyOfMeanModel, OF_MODEL),
             Column("loss_mean", &AccuracyByRound::lossMean, OF_MODEL),
             Column("consensus_distance", &AccuracyByRound::consensusDistance, OF_SHARED),
             Column("test_examples", &AccuracyByRound::testExamples, OF_TIME));

/// One node's model on the test set; view `accuracy_by_node`.
struct AccuracyByNode
{
    Round round{0};                ///< number of completed rounds
    NodeId node{0};                ///< evaluated node
    double accuracy{0};            ///< test accuracy, in [0, 1]
    double loss{0};                ///< mean loss on the test examples
    std::uint64_t testExamples{0}; ///< number of leading test examples that were used
};

template <>
inline constexpr auto TABLE<AccuracyByNode> =
    RowTable("accuracy_by_node",
             "node_evaluation",
             Column("round", &AccuracyByNode::round, OF_TIME),
             Column("node", &AccuracyByNode::node, OF_TIME),
             Column("accuracy", &AccuracyByNode::accuracy, OF_MODEL),
             Column("loss", &AccuracyByNode::loss, OF_MODEL),
             Column("test_examples", &AccuracyByNode::testExamples, OF_TIME));

/// Local step and mixing of a node in a round; view `round_by_node`.
struct RoundByNode
{
    Round round{0}; ///< round of the step and of the mixing
    NodeId node{0}; ///< node that stepped and mixed
    double w{1};    ///< push-sum weight of the node at the start of the round, mean over the chunks
    std::uint32_t examples{0}; ///< examples drawn by the node, summed over its local steps
    double loss{0};            ///< mean training loss of these examples
    double gradientNorm{0};    ///< mean L2 norm of the examples' gradients before clipping
    double clipped{0};         ///< fraction of the examples' gradients that were clipped
    double startedAt{0};       ///< start of the local step, simulated s
    double finishedAt{0};      ///< time at which the node had mixed, simulated s
    double wSmallest{1}; ///< smallest w of any chunk of the node's model at the start of the round
};

template <>
inline constexpr auto TABLE<RoundByNode> = RowTable(
    "round_by_node",
    "node_round",
    Column("round", &RoundByNode::round, OF_TIME),
    Column("node", &RoundByNode::node, OF_TIME),
    Column("w", &RoundByNode::w, OF_TIME),
    Column("examples_drawn", &RoundByNode::examples, Private("exact count of private examples"))
        .Formerly("batch"),
    Column("loss", &RoundByNode::loss, Private("computed from training data without noise")),
    Column("gradient_norm",
           &RoundByNode::gradientNorm,
           Private("computed from training data without noise")),
    Column("clipped", &RoundByNode::clipped, Private("computed from training data without noise")),
    Column("started_at", &RoundByNode::startedAt, OF_TIME),
    Column("finished_at", &RoundByNode::finishedAt, OF_TIME),
    Column("w_smallest", &RoundByNode::wSmallest, OF_TIME));

/// A node's privacy at the end of the run; view `guarantee_by_node`. Epsilons may be infinite.
struct GuaranteeByNode
{
    NodeId node{0};                   ///< node that owns the protected data
    double claimed{0};                ///< epsilon that the paper's formula claims
    double certified{0};              ///< proven upper bound on the node's epsilon
    std::optional<double> observed{}; ///< lower bound on epsilon from an audit; empty: no audit ran
    double delta{0};                  ///< delta of all three epsilons
    std::string adjacency{};          ///< neighbouring relation: `add-remove` or `replace`
    std::string reason{};             ///< reason for an infinite certified epsilon; else empty
    std::string accountant{};  ///< accountant that proved the certified epsilon, for example `pld`
    std::string claimReason{}; ///< reason for an infinite claimed epsilon; else empty
    std::optional<Round> stoppedInRound{}; ///< first round without a release because the budget was
                                           ///< spent
    std::optional<double> budget{};        ///< epsilon to which the node's noise was calibrated
    /// Upper bound on epsilon from the noise that all nodes really drew and sent; empty: nodes
    /// share no noise.
    std::optional<double> asSent{};
};

template <>
inline constexpr auto TABLE<GuaranteeByNode> = RowTable(
    "guarantee_by_node",
    "guarantee",
    Column("node", &GuaranteeByNode::node, PUBLIC),
    Column("claimed", &GuaranteeByNode::claimed, PUBLIC),
    Column("certified", &GuaranteeByNode::certified, PUBLIC),
    Column("observed", &GuaranteeByNode::observed, PUBLIC)
        .ShownAs("(SELECT MAX(bound) FROM (SELECT guarantee.observed AS bound UNION ALL SELECT "
                 "observed FROM audit_entry WHERE audit_entry.node = guarantee.node))"),
    Column("delta", &GuaranteeByNode::delta, PUBLIC),
    Column("adjacency", &GuaranteeByNode::adjacency, PUBLIC, Storage::WORD),
    Column("reason", &GuaranteeByNode::reason, PUBLIC, Storage::TEXT_OR_NULL),
    Column("accountant", &GuaranteeByNode::accountant, PUBLIC, Storage::WORD),
    Column("claim_reason", &GuaranteeByNode::claimReason, PUBLIC, Storage::TEXT_OR_NULL),
    Column("stopped_in_round", &GuaranteeByNode::stoppedInRound, PUBLIC),
    Column("budget", &GuaranteeByNode::budget, PUBLIC),
    Column("as_sent", &GuaranteeByNode::asSent, PUBLIC));

/// Epsilons after a number of rounds; view `guarantee_by_round`.
struct GuaranteeByRound
{
    Round round{0};         ///< number of completed rounds
    double claimedMax{0};   ///< largest claimed epsilon of any node
    double certifiedMax{0}; ///< upper bound on the certified epsilon of any node
};

template <>
inline constexpr auto TABLE<GuaranteeByRound> =
    RowTable("guarantee_by_round",
             "guarantee_growth",
             Column("round", &GuaranteeByRound::round, PUBLIC),
             Column("claimed_max", &GuaranteeByRound::claimedMax, PUBLIC),
             Column("certified_max", &GuaranteeByRound::certifiedMax, PUBLIC));

/// One noisy release of the privacy ledger; view `release`.
template <>
inline constexpr auto TABLE<Release> =
    RowTable("release",
             "ledger",
             Column("node", &Release::node, PUBLIC),
             Column("round", &Release::round, PUBLIC),
             Column("mechanism", &Release::mechanism, PUBLIC, Storage::WORD),
             Column("sampler", &Release::sampler, PUBLIC, Storage::WORD),
             Column("rate", &Release::rate, PUBLIC),
             Column("sensitivity", &Release::sensitivity, OF_LEDGER),
             Column("noise", &Release::noise, OF_LEDGER),
             Column("noise_multiplier", &Release::NoiseMultiplier, OF_LEDGER),
             Column("flags", &Release::flags, PUBLIC, Storage::WORD),
             Column("epoch", &Release::epoch, PUBLIC));

/// An assumption of a guarantee that the network violated; view `violation`.
struct Violation
{
    Round round{0};                ///< round of the violation
    std::optional<NodeId> node{};  ///< affected node; empty: all nodes
    std::string_view assumption{}; ///< registry name of the assumption
    std::string_view detail{};     ///< one line of explanation
};

template <>
inline constexpr auto TABLE<Violation> =
    RowTable("violation",
             "validity",
             Column("round", &Violation::round, OF_TIME),
             Column("node", &Violation::node, OF_TIME),
             Column("assumption", &Violation::assumption, OF_TIME, Storage::WORD),
             Column("detail", &Violation::detail, OF_TIME));

/// Scale of a node's noise in a round of DPPS; view `sensitivity_by_round`.
struct SensitivityByRound
{
    Round round{0};      ///< round in which the noise was added
    NodeId node{0};      ///< node that added the noise
    double estimated{0}; ///< the node's estimate of the sensitivity
    /// Sensitivity S that scaled the noise: the largest known estimate, or the true one.
    double heardMaximum{0};
    std::uint32_t unheard{0}; ///< number of nodes whose estimates did not reach this node
    /// L1 distance of x = w z, before the noise, from that of the farthest node; empty: not
    /// measured.
    std::optional<double> real{};
};

template <>
inline constexpr auto TABLE<SensitivityByRound> = RowTable(
    "sensitivity_by_round",
    "sensitivity",
    Column("round", &SensitivityByRound::round, OF_TIME),
    Column("node", &SensitivityByRound::node, OF_TIME),
    Column("estimated",
           &SensitivityByRound::estimated,
           Private("computed from gradients without noise")),
    Column("heard_maximum",
           &SensitivityByRound::heardMaximum,
           Private("computed from gradients without noise")),
    Column("unheard", &SensitivityByRound::unheard, OF_TIME),
    Column("real", &SensitivityByRound::real, Private("distance of models before their noise")));

/// A node's state after a round; view `snapshot`.
struct Snapshot
{
    Round round{0}; ///< number of completed rounds; 0: the initial state
    NodeId node{0}; ///< node whose state was recorded
    double w{1};    ///< push-sum weight of the node after the round
    FloatView z{};  ///< de-biased parameters of the node, flat, in the model's parameter order
};

template <>
inline constexpr auto TABLE<Snapshot> = RowTable("snapshot",
                                                 "state",
                                                 Column("round", &Snapshot::round, OF_TIME),
                                                 Column("node", &Snapshot::node, OF_TIME),
                                                 Column("w", &Snapshot::w, OF_TIME),
                                                 Column("z", &Snapshot::z, OF_MODEL));

/// The noise that a node added in an iteration; view `noise_by_round`.
struct NoiseByRound
{
    Round round{0};             ///< round in which the noise was added
    NodeId node{0};             ///< node that added the noise
    std::uint32_t iteration{0}; ///< index of the noisy gradient within the round
    FloatView noise{};          ///< [parameters] noise added to the sum of the clipped gradients
};

template <>
inline constexpr auto TABLE<NoiseByRound> = RowTable(
    "noise_by_round",
    "noise_vector",
    Column("round", &NoiseByRound::round, Private("goes with the noise")),
    Column("node", &NoiseByRound::node, Private("goes with the noise")),
    Column("iteration", &NoiseByRound::iteration, Private("goes with the noise")).ShownLast(),
    Column("noise", &NoiseByRound::noise, Private("takes the noise off the messages")));

} // namespace dpdl

#endif // DPDL_TRACE_LEARNING_ROWS_H
