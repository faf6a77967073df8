// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_AUDIT_ANSWER_H
#define DPDL_AUDIT_AUDIT_ANSWER_H

#include "dpdl/audit/audit-request.h"
#include "dpdl/audit/score-test.h"
#include "dpdl/audit/verdict.h"
#include "dpdl/privacy/release.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// What is audited, and what is known of it beforehand.
struct AuditedMechanism
{
    std::string name;                           ///< what it is, one phrase
    std::vector<Release> releases;              ///< of one node, in the order they were made
    Adjacency adjacency{Adjacency::ADD_REMOVE}; ///< of all figures
    double delta{0.0};                          ///< of all figures, in [0, 1)
    std::optional<double> claimed;              ///< epsilon; none: nothing was claimed
    double certified{std::numeric_limits<double>::infinity()}; ///< epsilon, upper bound
    std::string reason; ///< why the certified epsilon is infinite, one line; else ""
};

/// What an audit found.
struct AuditAnswer
{
    std::string name;         ///< what was audited, one phrase
    std::string game;         ///< as the option names it
    std::string adjacency;    ///< `add-remove` or `replace`; "" where it does not matter
    double delta{0.0};        ///< of all figures
    std::uint64_t runs{0};    ///< how many runs were made of either kind; one-run: 1
    Verdict::Figures figures; ///< claimed, certified, observed by this audit
    std::optional<Verdict::Figures> strongest; ///< of all audits of a trace; empty: only this one
    std::string reason;                        ///< why the certified epsilon is infinite; else ""
    std::optional<double> mu;        ///< lower bound of mu, for claims of Gaussian DP only
    std::optional<double> claimedMu; ///< mu of a Gaussian mechanism as claimed
    std::vector<std::pair<std::string, double>> evidence; ///< counts and figures behind it, by name
    std::vector<std::string> notes;                       ///< what a reader must also know

    /// What follows from the figures; of a trace, from the largest bound that its audits have
    /// shown.
    Verdict Judge() const
    {
        return Verdict(strongest.value_or(figures));
    }
};

/**
 * @brief Turns scores into an answer.
 * @param mechanism what the scores were measured on
 * @param scores at least four of either kind
 * @param confidence in (0, 1)
 */
AuditAnswer AnswerScores(const AuditedMechanism& mechanism,
                         const ScoreSample& scores,
                         double confidence);

/**
 * @brief Plays the canary game, or the one-run game, against a mechanism.
 * @param mechanism what is attacked
 * @param request which game, how many runs, the confidence
 * @throws UsageError if the releases cannot be played
 */
AuditAnswer AnswerMechanism(const AuditedMechanism& mechanism, const AuditRequest& request);

/**
 * @brief The steps that a request describes, their claim and their certified epsilon.
 * @param request of the form STEPS, SCHEDULE or CLAIM
 * @throws UsageError if a file, a name or a number is not acceptable
 */
AuditedMechanism MechanismOf(const AuditRequest& request);

/**
 * @brief Computes what was asked for.
 * @param request of any form but TRACE
 * @throws UsageError if a file, a name or a number is not acceptable
 */
AuditAnswer ComputeAudit(const AuditRequest& request);

/// The answer for people: one line for each figure, and the verdict.
std::string AuditAsTable(const AuditAnswer& answer);

/**
 * @brief The answer for programs: one JSON object.
 *
 * Numbers read back as the same double. Infinity is the string "inf"; what does not exist is null.
 */
std::string AuditAsJson(const AuditAnswer& answer);

} // namespace dpdl

#endif // DPDL_AUDIT_AUDIT_ANSWER_H
