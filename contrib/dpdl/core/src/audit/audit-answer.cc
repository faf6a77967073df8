// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/audit-answer.h"

#include "dpdl/audit/canary-game.h"
#include "dpdl/audit/event-probability.h"
#include "dpdl/audit/one-run.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/privacy/gdp.h"

#include <algorithm>
#include <cmath>

// Computes the answer for each form of `audit`. It simulates a game or evaluates a closed-form
// attack, then compares the result with the claimed and the certified epsilon.

namespace dpdl
{

namespace
{

constexpr double INF = std::numeric_limits<double>::infinity();

/// Number of canaries divided by the number of guesses, for a one-run game without option
/// `guesses`.
constexpr std::uint64_t CANARIES_PER_GUESS = 50;

/// Creates an answer with the names and the claimed and certified epsilons. The caller adds the
/// observed epsilon and the evidence.
AuditAnswer
Begin(const AuditedMechanism& mechanism, const std::string& game, double confidence)
{
    AuditAnswer answer;
    answer.name = mechanism.name;
    answer.game = game;
    answer.adjacency = ToString(mechanism.adjacency);
    answer.delta = mechanism.delta;
    answer.reason = mechanism.reason;
    answer.figures.claimed = mechanism.claimed.value_or(std::nan(""));
    answer.figures.certified = mechanism.certified;
    answer.figures.confidence = confidence;
    return answer;
}

void
AddCounts(const MeasuredBound& bound, AuditAnswer& answer)
{
    const TestCounts& counts = bound.counts;
    answer.evidence.emplace_back("right alarms", static_cast<double>(counts.hits));
    answer.evidence.emplace_back("of runs", static_cast<double>(counts.trials));
    answer.evidence.emplace_back("false alarms", static_cast<double>(counts.falseAlarms));
    answer.evidence.emplace_back("of other runs", static_cast<double>(counts.otherTrials));
    answer.evidence.emplace_back("threshold", bound.threshold);
}

AuditAnswer
PlayZeroGradient(const AuditRequest& request)
{
    AuditedMechanism mechanism;
    mechanism.name = "noise scaled by the gradient's own norm (AdaD2P)";
    mechanism.delta = request.question.delta;
    mechanism.claimed = request.claimed;
    mechanism.reason = "the noise scale was computed from private data";
    AuditAnswer answer = Begin(mechanism, "zero-gradient", 1.0);
    answer.adjacency = ToString(Adjacency::REPLACE);
    answer.runs = request.runs;
    const double scale = 0.04;
    const double stepSize = 0.05;
    const auto count = [&](double norm) {
        return static_cast<double>(CountUnchangedMessages(norm,
                                                          scale,
                                                          stepSize,
                                                          request.parameterCount,
                                                          request.runs,
                                                          request.seed));
    };
    answer.evidence.emplace_back("unchanged, zero", count(0.0));
    answer.evidence.emplace_back("unchanged, else", count(1.0));
    const double event = ZeroGradientDelta(request.localSamples, request.rounds);
    answer.evidence.emplace_back("least delta", event);
    answer.figures.observed = event > request.question.delta ? INF : 0.0;
    answer.notes.emplace_back("no epsilon helps: two neighbouring datasets are told apart without "
                              "error with the probability 'least delta'");
    return answer;
}

AuditAnswer
PlayNorms(const AuditRequest& request)
{
    AuditedMechanism mechanism;
    mechanism.name = "norms with the ratio " + std::to_string(request.ratio) + " in " +
                     std::to_string(request.parameterCount) + " parameters (AdaD2P)";
    mechanism.delta = request.question.delta;
    mechanism.claimed = request.claimed;
    mechanism.reason = "the noise scale was computed from private data";
    const ScoreSample scores =
        PlayNormRatio(request.ratio, request.parameterCount, request.runs, request.seed);
    AuditAnswer answer = AnswerScores(mechanism, scores, request.confidence);
    answer.game = "norm-ratio";
    answer.adjacency.clear();
    answer.mu.reset();
    answer.claimedMu.reset();
    answer.evidence.emplace_back(
        "closed form",
        NormRatioEpsilon(request.ratio, request.parameterCount, request.question.delta));
    return answer;
}

AuditAnswer
PlayScalar(const AuditRequest& request)
{
    AuditedMechanism mechanism;
    mechanism.name = "Laplace noise whose norm is broadcast (DPPS), one round";
    mechanism.claimed = request.claimed.value_or(1.0);
    mechanism.reason = "the broadcast scalar tells the norm of the noise";
    const ScalarGuesses guesses =
        PlayBroadcastScalar(*mechanism.claimed, request.parameterCount, request.runs, request.seed);
    AuditAnswer answer = Begin(mechanism, "dpps-scalar", request.confidence);
    answer.adjacency.clear();
    answer.runs = request.runs;
    const auto bound = [&](std::size_t correct) {
        return OneRunEpsilon({guesses.runs, guesses.runs, correct}, 0.0, 1.0 - request.confidence);
    };
    answer.figures.observed = bound(guesses.withScalar);
    answer.evidence.emplace_back("right with it", static_cast<double>(guesses.withScalar));
    answer.evidence.emplace_back("right without", static_cast<double>(guesses.withoutScalar));
    answer.evidence.emplace_back("epsilon without", bound(guesses.withoutScalar));
    return answer;
}

Finding
Judge(const Verdict::Figures& figures)
{
    if (figures.observed > figures.certified)
    {
        return Finding::CERTIFIED_BROKEN;
    }
    return figures.observed > figures.claimed ? Finding::CLAIM_FALSE : Finding::CONSISTENT;
}

/// Phrase for the observed epsilon, such as "epsilon is at least 1.5 with 95 % confidence".
std::string
AtLeast(const Verdict::Figures& figures)
{
    if (std::isinf(figures.observed))
    {
        return "no finite epsilon holds at this delta";
    }
    const std::string bound = "epsilon is at least " + ShowRounded(figures.observed, 4);
    return figures.confidence < 1.0
               ? bound + " with " + ShowRounded(100.0 * figures.confidence, 4) + " % confidence"
               : bound;
}

/// Phrase for the verdict CONSISTENT: the audit found no contradiction.
std::string
NothingFound(const Verdict::Figures& figures)
{
    if (!std::isnan(figures.claimed))
    {
        return "nothing contradicts the claim";
    }
    return std::isinf(figures.certified) ? "nothing is claimed or certified: " + AtLeast(figures)
                                         : "nothing contradicts the certified bound";
}

} // namespace

AuditAnswer
AnswerScores(const AuditedMechanism& mechanism, const ScoreSample& scores, double confidence)
{
    const ScoreTest test = TestScores(scores, mechanism.delta, confidence);
    AuditAnswer answer = Begin(mechanism, "canary", confidence);
    answer.runs = std::min(scores.with.size(), scores.without.size());
    answer.figures.observed = test.epsilon.value;
    answer.mu = test.mu.value;
    if (mechanism.claimed && std::isfinite(*mechanism.claimed) && mechanism.delta > 0.0)
    {
        answer.claimedMu = GdpMu(*mechanism.claimed, mechanism.delta);
    }
    AddCounts(test.epsilon, answer);
    const std::uint64_t tested = answer.runs - answer.runs / 2;
    answer.evidence.emplace_back(
        "resolution limit",
        EpsilonLowerBound({tested, tested, 0, tested}, mechanism.delta, 0.5 * (1.0 - confidence)));
    return answer;
}

AuditAnswer
AnswerMechanism(const AuditedMechanism& mechanism, const AuditRequest& request)
{
    const CanaryGame game(CanarySteps(mechanism.releases, mechanism.adjacency));
    if (!request.oneRun)
    {
        return AnswerScores(mechanism,
                            game.Play(request.runs, request.seed, request.threads),
                            request.confidence);
    }
    for (const Release& release : mechanism.releases)
    {
        DPDL_REFUSE_IF(release.sampler != "poisson" && release.sampler != "full",
                       "option 'game'",
                       "one-run",
                       "canary where batches are drawn other than by Poisson sampling");
    }
    const std::uint64_t guesses =
        request.guesses > 0 ? request.guesses
                            : std::max<std::uint64_t>(1, request.canaries / CANARIES_PER_GUESS);
    const GuessCounts counts =
        CountGuesses(PlayOneRun(game, request.canaries, request.seed), guesses, 0);
    AuditAnswer answer = Begin(mechanism, "one-run", request.confidence);
    answer.runs = 1;
    answer.figures.observed = OneRunEpsilon(counts, mechanism.delta, 1.0 - request.confidence);
    answer.evidence.emplace_back("canaries", static_cast<double>(counts.canaries));
    answer.evidence.emplace_back("guesses", static_cast<double>(counts.guesses));
    answer.evidence.emplace_back("right guesses", static_cast<double>(counts.correct));
    return answer;
}

AuditAnswer
ComputeAudit(const AuditRequest& request)
{
    switch (request.form)
    {
    case AuditForm::ZERO_GRADIENT:
        return PlayZeroGradient(request);
    case AuditForm::NORM_RATIO:
        return PlayNorms(request);
    case AuditForm::DPPS_SCALAR:
        return PlayScalar(request);
    default:
        return AnswerMechanism(MechanismOf(request), request);
    }
}

std::string
ToString(Finding finding)
{
    switch (finding)
    {
    case Finding::CLAIM_FALSE:
        return "claim-false";
    case Finding::CERTIFIED_BROKEN:
        return "certified-broken";
    default:
        return "consistent";
    }
}

int
ExitStatus(Finding finding)
{
    return finding == Finding::CERTIFIED_BROKEN ? 1 : 0;
}

Verdict::Verdict(const Figures& figures)
    : m_figures(figures),
      m_finding(Judge(figures))
{
}

std::string
Verdict::Event() const
{
    switch (m_finding)
    {
    case Finding::CLAIM_FALSE:
        return "the claim is false: " + AtLeast(m_figures);
    case Finding::CERTIFIED_BROKEN:
        return "the certified bound does not hold for what was audited: " + AtLeast(m_figures);
    default:
        return NothingFound(m_figures);
    }
}

} // namespace dpdl
