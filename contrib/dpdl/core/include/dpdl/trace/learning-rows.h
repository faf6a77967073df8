// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_LEARNING_ROWS_H
#define DPDL_TRACE_LEARNING_ROWS_H

/**
 * @file
 * @brief What a run tells its trace about models and privacy. Accuracies are in [0, 1].
 *
 * One struct per kind of row, one field per column, in the order of the view's columns
 * (doc/formats/trace.md). An empty optional and a NaN are stored as NULL, an infinity as SQLite's
 * Inf. Times are simulated seconds since the start of the run. A string_view has to
 * live until Add returns.
 */

#include "dpdl/base/types.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace dpdl
{

/// How good the models are after an evaluated round; view `accuracy_by_round`.
struct AccuracyRow
{
    Round round{0};                              ///< number of rounds done
    double simulatedSeconds{0};                  ///< when the last node had finished them
    double accuracyMean{0};                      ///< mean of the nodes' test accuracies
    double accuracyWorst{0};                     ///< the worst node's test accuracy
    std::optional<double> accuracyOfMeanModel{}; ///< test accuracy of the nodes' mean z
    double lossMean{0};                          ///< mean of the nodes' test losses
    std::optional<double> consensusDistance{};   ///< how far apart the nodes' z are
};

/// One node's model on the test set; view `accuracy_by_node`.
struct NodeAccuracyRow
{
    Round round{0};     ///< number of rounds done
    NodeId node{0};     ///< whose model
    double accuracy{0}; ///< test accuracy
    double loss{0};     ///< mean test loss
};

/// What a node did in a round; view `round_by_node`.
struct NodeRoundRow
{
    Round round{0};            ///< which round
    NodeId node{0};            ///< which node
    double w{1};               ///< its push-sum weight when the round began, mean over the chunks
    std::uint32_t examples{0}; ///< examples that it drew, summed over its local steps
    double loss{0};            ///< mean training loss of these examples
    double gradientNorm{0};    ///< mean L2 norm of their gradients before clipping
    double clipped{0};         ///< fraction of them that were clipped
    double startedAt{0};       ///< when the local step began
    double finishedAt{0};      ///< when the node had mixed
    double wSmallest{1};       ///< smallest w of any chunk of its model when the round began
};

/// A node's privacy at the end of the run; view `guarantee_by_node`. Epsilons may be infinite.
struct GuaranteeRow
{
    NodeId node{0};                        ///< whose data are protected
    double claimed{0};                     ///< epsilon by the paper's own formula
    double certified{0};                   ///< proven upper bound on epsilon
    std::optional<double> observed{};      ///< empirical lower bound, if an audit ran
    double delta{0};                       ///< the delta of all three
    std::string_view adjacency{};          ///< neighbouring relation, for example `add-remove`
    std::string_view reason{};             ///< why certified is infinite; empty where it is not
    std::string_view accountant{};         ///< what proved certified, for example `pld`
    std::string_view claimReason{};        ///< why claimed is infinite; empty where it is not
    std::optional<Round> stoppedInRound{}; ///< first round without a release for want of budget
    std::optional<double> budget{};        ///< epsilon that its noise was calibrated to
};

/// How the guarantee grows; view `guarantee_by_round`.
struct RoundGuaranteeRow
{
    Round round{0};         ///< number of rounds done
    double claimedMax{0};   ///< largest claimed epsilon of any node
    double certifiedMax{0}; ///< upper bound on the certified epsilon of any node
};

/// One noisy release of the privacy ledger; view `release`.
struct ReleaseRow
{
    NodeId node{0};               ///< who released
    Round round{0};               ///< in which round
    std::string_view mechanism{}; ///< registry name, for example `gaussian`
    std::string_view sampler{};   ///< registry name, for example `poisson`
    double rate{0};               ///< share of the local examples that a batch holds
    double sensitivity{0};        ///< the clip bound C of this node and round
    double noise{0};              ///< std of the noise on the clipped sum (Laplace: b); 0: off
    double noiseMultiplier{0};    ///< noise / sensitivity of what was released
    std::string_view flags{};     ///< what voids or qualifies it, comma separated, or empty
};

/// An assumption of a guarantee that the network voided; view `violation`.
struct ViolationRow
{
    Round round{0};                ///< when
    std::optional<NodeId> node{};  ///< at which node; empty: everywhere
    std::string_view assumption{}; ///< its registry name
    std::string_view detail{};     ///< one line: what happened
};

/// What scaled a node's noise in a round of DPPS; view `sensitivity_by_round`.
struct SensitivityRow
{
    Round round{0};               ///< which round
    NodeId node{0};               ///< which node
    double estimated{0};          ///< its own estimate
    double heardMaximum{0};       ///< S in force: the largest that it heard, or the true one
    std::uint32_t unheard{0};     ///< nodes whose estimate it did not hear
    std::optional<double> real{}; ///< L1 distance to the farthest node; empty: not measured
};

} // namespace dpdl

#endif // DPDL_TRACE_LEARNING_ROWS_H
