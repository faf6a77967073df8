// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/accounting/account-answer.h"

#include "dpdl/base/release.h"
#include "dpdl/privacy/calibration.h"
#include "dpdl/privacy/step-group.h"

#include <cmath>
#include <limits>

// Computes the answers for the four forms of `account` (AccountForm), and epsilons of other
// accountants for comparison.

namespace dpdl
{

namespace
{

constexpr double INF = std::numeric_limits<double>::infinity();

/// Largest number of different steps for which Compare() computes further epsilons. With more steps
/// the computation would take too long.
constexpr std::size_t MOST_KINDS_TO_COMPARE = 16;

/// Converts Release::sampler, such as `poisson`, to the name of this sampler in option `sampler`.
std::string
SamplerName(const std::string& sampler)
{
    for (const auto& [name, ofRelease] : SamplerNames())
    {
        if (ofRelease == sampler)
        {
            return name;
        }
    }
    return sampler;
}

/// Computes AccountAnswer::comparisons: the epsilon of accountant `rdp` if it is finite and, for
/// accountant `pld`, the epsilons of both directions. No effect if the answer's epsilon is infinite
/// or of one direction only, or with more than MOST_KINDS_TO_COMPARE different steps.
void
Compare(const StepCounts& steps, const AccountingQuery& question, AccountAnswer& answer)
{
    if (!std::isfinite(answer.guarantee.epsilon) || steps.size() > MOST_KINDS_TO_COMPARE ||
        question.direction != Direction::BOTH)
    {
        return;
    }
    const Accountant& accountant = *Accountants().Get(answer.guarantee.accountant);
    if (accountant.Name() == "pld" && question.adjacency == Adjacency::ADD_REMOVE)
    {
        AccountingQuery oneWay = question;
        oneWay.direction = Direction::REMOVE;
        answer.comparisons.emplace_back("remove", accountant.Evaluate(steps, oneWay).epsilon);
        oneWay.direction = Direction::ADD;
        answer.comparisons.emplace_back("add", accountant.Evaluate(steps, oneWay).epsilon);
    }
    if (accountant.Name() != "rdp")
    {
        const double renyi = Accountants().Get("rdp")->Evaluate(steps, question).epsilon;
        if (std::isfinite(renyi))
        {
            answer.comparisons.emplace_back("rdp", renyi);
        }
    }
}

/// Evaluates the guarantee of @p steps with the request's accountant. Sets guarantee, direction and
/// `certified` of the answer, and appends warnings.
void
Evaluate(const StepCounts& steps, const AccountRequest& request, AccountAnswer& answer)
{
    const Accountant& accountant = *Accountants().Get(request.accountant);
    answer.guarantee = accountant.Evaluate(steps, request.question);
    answer.direction = request.question.direction;
    answer.certified = accountant.Certified() && std::isfinite(answer.guarantee.epsilon) &&
                       answer.direction == Direction::BOTH;
    if (!answer.guarantee.reason.empty())
    {
        answer.warnings.push_back("epsilon is infinite: " + answer.guarantee.reason);
    }
    if (answer.direction != Direction::BOTH)
    {
        answer.warnings.emplace_back("one direction alone is no guarantee");
    }
    if (request.group.sampler == "shuffle")
    {
        answer.warnings.emplace_back("shuffled batches are not amplified: every pass over the "
                                     "examples counts as one step that uses them all");
    }
    const std::vector<std::string>& more = answer.guarantee.warnings;
    answer.warnings.insert(answer.warnings.end(), more.begin(), more.end());
    Compare(steps, request.question, answer);
}

void
AnswerCalibration(const AccountRequest& request, AccountAnswer& answer)
{
    const Accountant& accountant = *Accountants().Get(request.accountant);
    StepGroup group = request.group;
    group.noise = 1.0;
    const double scale =
        CalibrateSteps(accountant, CountSteps({group}), request.epsilon, request.question);
    group.noise = 1.0 / scale;
    // The calibrated noise multiplier is 1 / scale. The division may round it down, to a value at
    // which epsilon exceeds the target. The loop then raises it again.
    while (1.0 / group.noise > scale)
    {
        group.noise = std::nextafter(group.noise, INF);
    }
    answer.noise = group.noise;
    Evaluate(CountSteps({group}), request, answer);
    if (answer.guarantee.epsilon < request.epsilon * (1.0 - 1e-6))
    {
        answer.warnings.emplace_back("the accountant's epsilon jumps here: with any less noise it "
                                     "exceeds the target");
    }
}

void
AnswerClaim(const AccountRequest& request, AccountAnswer& answer)
{
    ClaimSettings settings = request;
    settings.sampler = request.group.sampler;
    answer.claim = ClaimOf(settings);
    const PlannedClaim& claim = *answer.claim;
    Evaluate(claim.unsupported.empty() ? claim.steps : StepCounts(), request, answer);
    if (!claim.unsupported.empty())
    {
        answer.guarantee.epsilon = INF;
        answer.guarantee.lower = 0.0;
        answer.guarantee.reason = claim.unsupported;
        answer.certified = false;
        answer.comparisons.clear();
    }
    answer.warnings.insert(answer.warnings.end(), claim.warnings.begin(), claim.warnings.end());
}

} // namespace

AccountAnswer
ComputeAccount(const AccountRequest& request)
{
    AccountAnswer answer;
    answer.sampler = SamplerName(request.group.sampler);
    switch (request.form)
    {
    case AccountForm::CONSTANT:
        Evaluate(CountSteps({request.group}), request, answer);
        break;
    case AccountForm::SCHEDULE:
        Evaluate(CountSteps(ReadScheduleFile(request.schedule, request.group)), request, answer);
        break;
    case AccountForm::CALIBRATION:
        AnswerCalibration(request, answer);
        break;
    case AccountForm::CLAIM:
        AnswerClaim(request, answer);
        break;
    }
    return answer;
}

} // namespace dpdl
