// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_LEARNING_ROWS_H
#define DPDL_TRACE_LEARNING_ROWS_H

/**
 * @file
 * @brief Rows of a trace about models and privacy.
 *
 * There is one struct per view of the trace (doc/formats/trace.md), named like the view, and a
 * TABLE that describes how its rows are stored. A node's model z is x / w, where x and w are its
 * push-sum sum and weight. Times are simulated seconds since the start of the run. Accuracies are
 * in [0, 1]. Accuracies and objectives are NaN if a model has diverged. The text of a string_view
 * must live until TraceStore::Add() returns.
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

/// Test accuracy and loss of the nodes' models after a round with an evaluation; view
/// `accuracy_by_round`.
struct AccuracyByRound
{
    Round round{0}; ///< number of completed rounds
    /// Time at which the last node had completed these rounds, simulated s.
    double simulatedSeconds{0};
    double accuracyMean{0};  ///< mean over the nodes of the test accuracy, in [0, 1]
    double accuracyWorst{0}; ///< smallest test accuracy of any node, in [0, 1]
    /// Test accuracy, in [0, 1], of the model whose parameters are the unweighted mean of z over
    /// the nodes. If nodes share only some layers, only these are averaged: the value is the mean
    /// over the nodes of the accuracy with the averaged layers and the node's other layers. Empty:
    /// not computed.
    std::optional<double> accuracyOfMeanModel{};
    double lossMean{0}; ///< mean of the training objective over nodes and test examples
    /// Root mean square over the nodes of the L2 distance between the shared parameters of z and
    /// their mean over the nodes; empty: not computed.
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

/// Test accuracy and loss of one node's model; view `accuracy_by_node`.
struct AccuracyByNode
{
    Round round{0};                ///< number of completed rounds
    NodeId node{0};                ///< evaluated node
    double accuracy{0};            ///< test accuracy, in [0, 1]
    double loss{0};                ///< mean of the training objective over the test examples
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

/// Local step and mixing of one node in a round; view `round_by_node`.
struct RoundByNode
{
    Round round{0}; ///< round of the step and of the mixing
    NodeId node{0}; ///< node that stepped and mixed
    double w{1};    ///< push-sum weight of the node at the start of the round; mean over its chunks
    /// Number of examples that the node drew, summed over its iterations.
    std::uint32_t examples{0};
    double loss{0}; ///< mean of the objective over these examples; 0 without examples
    /// Mean L2 norm of the per-example gradients before clipping; 0 without examples.
    double gradientNorm{0};
    /// Fraction of the per-example gradients that were clipped, in [0, 1]; 0 without examples.
    double clipped{0};
    double startedAt{0};  ///< start of the local step, simulated s
    double finishedAt{0}; ///< time at which the node had mixed the round, simulated s
    /// Smallest push-sum weight of the node's chunks at the start of the round.
    double wSmallest{1};
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
    Column("loss", &RoundByNode::loss, OF_DATA),
    Column("gradient_norm", &RoundByNode::gradientNorm, OF_DATA),
    Column("clipped", &RoundByNode::clipped, OF_DATA),
    Column("started_at", &RoundByNode::startedAt, OF_TIME),
    Column("finished_at", &RoundByNode::finishedAt, OF_TIME),
    Column("w_smallest", &RoundByNode::wSmallest, OF_TIME));

/// Guarantee of one node at the end of the run; view `guarantee_by_node`. Each epsilon is at
/// `delta`, at least 0, and may be infinite.
struct GuaranteeByNode
{
    NodeId node{0};      ///< node whose examples the guarantee protects
    double claimed{0};   ///< epsilon by the formula of the algorithm's paper
    double certified{0}; ///< certified upper bound on epsilon
    /// Largest lower bound on epsilon from an audit; empty: no audit.
    std::optional<double> observed{};
    double delta{0};         ///< delta of the claimed, certified and observed epsilon, in (0, 1)
    std::string adjacency{}; ///< neighbouring relation: `add-remove` or `replace`
    std::string reason{}; ///< reason for an infinite certified epsilon, one line; "": it is finite
    /// Name of the accountant that computed the certified epsilon, such as `pld`.
    std::string accountant{};
    /// Reason for an infinite claimed epsilon, one line; "": it is finite.
    std::string claimReason{};
    /// First round without a release because the privacy budget was spent; empty: none.
    std::optional<Round> stoppedInRound{};
    /// Target epsilon of the node's noise calibration; empty: not calibrated.
    std::optional<double> budget{};
    /// Certified epsilon from the covariance of the noise that was actually drawn; empty: nodes
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

/// Largest claimed epsilon of any node, and an upper bound on the certified epsilon of every node,
/// after a number of rounds. Both are at the run's delta and may be infinite. View
/// `guarantee_by_round`.
struct GuaranteeByRound
{
    Round round{0};       ///< number of completed rounds
    double claimedMax{0}; ///< largest epsilon that the paper's formula claims for any node
    /// Upper bound on the certified epsilon of every node; in the last row, the largest certified
    /// epsilon of any node.
    double certifiedMax{0};
};

template <>
inline constexpr auto TABLE<GuaranteeByRound> =
    RowTable("guarantee_by_round",
             "guarantee_growth",
             Column("round", &GuaranteeByRound::round, PUBLIC),
             Column("claimed_max", &GuaranteeByRound::claimedMax, PUBLIC),
             Column("certified_max", &GuaranteeByRound::certifiedMax, PUBLIC));

/// One entry of the privacy ledger; view `release`.
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

/// Violation of an assumption of a claim; view `violation`.
struct Violation
{
    Round round{0};                ///< round of the violation, from 0
    std::optional<NodeId> node{};  ///< node of the violation; empty: all nodes
    std::string_view assumption{}; ///< name in Assumptions()
    std::string_view detail{};     ///< explanation in one line
};

template <>
inline constexpr auto TABLE<Violation> =
    RowTable("violation",
             "validity",
             Column("round", &Violation::round, OF_TIME),
             Column("node", &Violation::node, OF_TIME),
             Column("assumption", &Violation::assumption, OF_TIME, Storage::WORD),
             Column("detail", &Violation::detail, OF_TIME));

/// Sensitivity to which a node scaled its noise in a round of DPPS; view `sensitivity_by_round`.
struct SensitivityByRound
{
    Round round{0}; ///< round in which the noise was added
    NodeId node{0}; ///< node that added the noise
    /// The node's estimate of the largest L1 distance between the parameters of any two nodes, made
    /// without the estimates of other nodes.
    double estimated{0};
    /// Sensitivity S to which the noise was scaled, an L1 distance: the largest estimate that the
    /// node had made or received, or the true largest distance if SensitivityRule::isOracle is set.
    double heardMaximum{0};
    /// Number of other nodes whose estimate did not reach this node before it added its noise.
    std::uint32_t unheard{0};
    /// True L1 distance of x = w z, before the noise, from x of the farthest node; empty: not
    /// measured.
    std::optional<double> real{};
};

template <>
inline constexpr auto TABLE<SensitivityByRound> = RowTable(
    "sensitivity_by_round",
    "sensitivity",
    Column("round", &SensitivityByRound::round, OF_TIME),
    Column("node", &SensitivityByRound::node, OF_TIME),
    Column("estimated", &SensitivityByRound::estimated, OF_GRADIENTS),
    Column("heard_maximum", &SensitivityByRound::heardMaximum, OF_GRADIENTS),
    Column("unheard", &SensitivityByRound::unheard, OF_TIME),
    Column("real", &SensitivityByRound::real, Private("distance of models before their noise")));

/// State of a node after a round; view `snapshot`.
struct Snapshot
{
    Round round{0}; ///< number of completed rounds; 0: the initial state
    NodeId node{0}; ///< node of the state
    double w{1};    ///< push-sum weight of the node, mean over its chunks
    FloatView z{};  ///< parameters z of the node, [ParameterCount()]
};

template <>
inline constexpr auto TABLE<Snapshot> = RowTable("snapshot",
                                                 "state",
                                                 Column("round", &Snapshot::round, OF_TIME),
                                                 Column("node", &Snapshot::node, OF_TIME),
                                                 Column("w", &Snapshot::w, OF_TIME),
                                                 Column("z", &Snapshot::z, OF_MODEL));

/// Noise that a node added in one iteration of its local step; view `noise_by_round`.
struct NoiseByRound
{
    Round round{0};             ///< round in which the noise was added
    NodeId node{0};             ///< node that added the noise
    std::uint32_t iteration{0}; ///< index of the iteration in the round, from 0
    /// Noise vector on the sum of clipped gradients, [ParameterCount()].
    FloatView noise{};
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
