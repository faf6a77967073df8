// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "plan-accountant.h"

#include "dpdl/base/errors.h"
#include "dpdl/privacy/calibration.h"

namespace dpdl
{

namespace
{

/// Names of the certified accountants whose epsilon for @p steps is finite, as one text.
/// @param question delta, neighbouring relation and direction
std::string
CertifiedNames(const StepCounts& steps, const AccountingQuery& question)
{
    std::vector<std::string> certified;
    for (const std::string& name : Accountants().Names())
    {
        const auto accountant = Accountants().Get(name);
        if (accountant->Certified() && accountant->Evaluate(steps, question).reason.empty())
        {
            certified.push_back(name);
        }
    }
    return JoinNames(certified);
}

} // namespace

std::shared_ptr<const Accountant>
CertifiedAccountant(const std::string& name)
{
    const auto accountant = Accountants().Get(name);
    DPDL_REFUSE_IF(!accountant->Certified(),
                   "option 'accountant'",
                   name,
                   "one whose epsilon is proven: " + CertifiedNames({}, AccountingQuery()));
    return accountant;
}

double
ScaleByAccountant(const AccountantCache& guarantees, const StepCounts& steps, double epsilon)
{
    const Accountant& accountant = guarantees.GetAccountant();
    const AccountingQuery& question = guarantees.GetQuestion();
    CheckTarget(epsilon, question.delta);
    constexpr double WEAK = 1e-3;
    // Check the support of such steps with one step of the same kind and a mu of WEAK. Its epsilon
    // is finite if the accountant supports such steps.
    PrivacyStep weak = steps.begin()->first;
    weak.muAddRemove *= WEAK / weak.muReplace;
    weak.muReplace = WEAK;
    const StepCounts one{{weak, 1}};
    const std::string reason = accountant.Evaluate(one, question).reason;
    if (!reason.empty())
    {
        const std::string others = CertifiedNames(one, question);
        throw UsageError("option 'accountant'",
                         accountant.Name(),
                         "one that knows these steps, " +
                             (others.empty() ? "which none does" : "as " + others) + ": " + reason);
    }
    return CalibrateSteps(accountant, steps, epsilon, question);
}

} // namespace dpdl
