// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_AUDIT_ANSWER_H
#define DPDL_AUDIT_AUDIT_ANSWER_H

#include "dpdl/audit/audit-request.h"
#include "dpdl/audit/binomial-bounds.h"
#include "dpdl/base/release.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// Result of an audit. The observed epsilon is a lower bound that an attack proved; it is compared
/// with the claimed and the certified epsilon.
enum class Finding
{
    CONSISTENT,  ///< the observed epsilon exceeds neither the claimed nor the certified epsilon
    CLAIM_FALSE, ///< the observed epsilon exceeds the claimed epsilon
    /// The observed epsilon exceeds the certified epsilon: accounting or mechanism is wrong.
    CERTIFIED_BROKEN,
};

/// Name of the finding: `consistent`, `claim-false` or `certified-broken`.
std::string ToString(Finding finding);

/// Exit status of a program with this finding: 1 for CERTIFIED_BROKEN, 0 for the other two.
int ExitStatus(Finding finding);

/**
 * @brief Compares the claimed, the certified and the observed epsilon.
 *
 * An audit proves a lower bound, so it can refute a claim but cannot confirm it. If the mechanism
 * matches its ledger, the observed epsilon exceeds the certified one with probability at most 1 -
 * confidence.
 */
class Verdict
{
  public:
    /// The three epsilons, for the same delta and neighbouring relation.
    struct Figures
    {
        /// Epsilon that the user or the algorithm's paper claims; NaN: no claim.
        double claimed{std::numeric_limits<double>::quiet_NaN()};
        /// Certified upper bound on epsilon; infinity: no bound.
        double certified{std::numeric_limits<double>::infinity()};
        /// Lower bound on epsilon that the attack proved; 0: the attack detected nothing.
        double observed{0.0};
        /// Confidence of the lower bound, in (0, 1). 1: the bound is derived, without statistics;
        /// NaN: not known.
        double confidence{0.0};
    };

    /// @param figures epsilons to compare; copied
    explicit Verdict(const Figures& figures);

    /// The figures that were compared.
    const Figures& Get() const
    {
        return m_figures;
    }

    /// Result of the comparison. If both epsilons are exceeded, it is CERTIFIED_BROKEN.
    dpdl::Finding Finding() const
    {
        return m_finding;
    }

    /// The result as one line of text, without a full stop.
    std::string Event() const;

  private:
    Figures m_figures;       ///< claimed, certified and observed epsilon
    dpdl::Finding m_finding; ///< result of the comparison
};

/// The audited releases, with their claimed and certified epsilon.
struct AuditedMechanism
{
    std::string name;                           ///< name of the mechanism in output, one phrase
    std::vector<Release> releases;              ///< releases of one node, in the order of sending
    Adjacency adjacency{Adjacency::ADD_REMOVE}; ///< neighbouring relation of all epsilons
    double delta{0.0};             ///< delta of the claimed and certified epsilon, in [0, 1)
    std::optional<double> claimed; ///< claimed epsilon; empty: no claim
    /// Certified upper bound on epsilon; infinity: no bound.
    double certified{std::numeric_limits<double>::infinity()};
    std::string reason; ///< reason for an infinite certified epsilon, one line; else ""
};

/// Result of an audit: claimed, certified and observed epsilon, and the evidence.
struct AuditAnswer
{
    std::string name; ///< name of the audited mechanism in output, one phrase
    std::string game; ///< name of the attack, a value of option `game`
    std::string
        adjacency; ///< neighbouring relation, `add-remove` or `replace`; "": the attack uses none
    double delta{0.0}; ///< delta of all three epsilons, in [0, 1)
    /// Number of simulated runs of each kind (with and without the canary); 1 for the one-run game.
    std::uint64_t runs{0};
    /// Claimed epsilon, certified epsilon, and epsilon observed by this audit.
    Verdict::Figures figures;
    /// Figures of the earlier audit of the same trace with the largest observed epsilon, if it
    /// exceeds that of this audit; empty: none.
    std::optional<Verdict::Figures> strongest;
    std::string reason; ///< reason for an infinite certified epsilon, one line; else ""
    /// Observed lower bound on the mu of mu-GDP, for claims of Gaussian DP only; empty: not
    /// measured.
    std::optional<double> mu;
    std::optional<double> claimedMu; ///< claimed mu of a Gaussian mechanism; empty: no claim
    /// Counts and other measured values, by label.
    std::vector<std::pair<std::string, double>> evidence;
    std::vector<std::string> notes; ///< caveats for the reader, one line each

    /// Verdict on `strongest` or, if it is empty, on the figures of this audit.
    Verdict Judge() const
    {
        return Verdict(strongest.value_or(figures));
    }
};

/**
 * @brief Computes an audit's answer from attack scores.
 * @param mechanism the mechanism whose runs were scored
 * @param scores scores of at least four runs with the canary and four without
 * @param confidence confidence of the lower bound, in (0, 1)
 * @throws UsageError if there are fewer runs, or if delta or confidence is out of range
 */
AuditAnswer AnswerScores(const AuditedMechanism& mechanism,
                         const ScoreSample& scores,
                         double confidence);

/**
 * @brief Plays the canary game, or the one-run game, against a mechanism.
 * @param mechanism mechanism to attack
 * @param request game, numbers of runs, canaries and guesses, confidence, seed, threads
 * @throws UsageError if the releases cannot be simulated, such as releases with Laplace noise
 */
AuditAnswer AnswerMechanism(const AuditedMechanism& mechanism, const AuditRequest& request);

/**
 * @brief The mechanism that a request describes: its steps, with their claimed and certified
 *        epsilon.
 * @param request request of form STEPS, SCHEDULE or CLAIM
 * @throws UsageError if a file, a name or a number is invalid
 */
AuditedMechanism MechanismOf(const AuditRequest& request);

/**
 * @brief Runs the audit of a request.
 * @param request request of any form but TRACE
 * @throws UsageError if a file, a name or a number is invalid
 */
AuditAnswer ComputeAudit(const AuditRequest& request);

/// Text output: one line per value, and the verdict.
std::string AuditAsTable(const AuditAnswer& answer);

/**
 * @brief JSON output: one object.
 *
 * Numbers parse to the same double. Infinity is the string "inf"; missing values are null.
 */
std::string AuditAsJson(const AuditAnswer& answer);

} // namespace dpdl

#endif // DPDL_AUDIT_AUDIT_ANSWER_H
