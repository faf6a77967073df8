// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/accountant.h"

#include "accountants.h"
#include "dpdl/base/noise-source.h"
#include "dpdl/base/options.h"
#include "normal-tail.h"

#include <cmath>
#include <utility>

// Registry of accountants, AccountantCache, and the checks that reject unsupported releases before
// they are evaluated.

namespace dpdl
{

namespace
{

using AccountantRegistry = Registry<std::shared_ptr<const Accountant>>;

AccountantRegistry
MakeAccountants()
{
    AccountantRegistry registry("accountant");
    const auto add = [&registry](const AccountantRow& row) {
        registry.Add({row.name, row.summary, row.source}, std::make_shared<Accountant>(row));
    };
    add(PldAccountant());
    add(RdpAccountant());
    for (const AccountantRow& row : ClosedFormAccountants())
    {
        add(row);
    }
    return registry;
}

} // namespace

Accountant::Accountant(AccountantRow row)
    : m_row(std::move(row))
{
}

Guarantee
Accountant::Evaluate(const ReleaseTally& releases, const AccountingQuery& question) const
{
    if (!releases.Reason().empty())
    {
        Guarantee guarantee = Evaluate(StepCounts(), question);
        guarantee.epsilon = INF;
        guarantee.reason = releases.Reason();
        return guarantee;
    }
    Guarantee guarantee = Evaluate(releases.Steps(), question);
    if (releases.HasBatchClip())
    {
        guarantee.warnings.emplace_back(
            "batches were clipped as a whole: twice the clip bound counts");
    }
    return guarantee;
}

Guarantee
Accountant::Evaluate(const StepCounts& steps, const AccountingQuery& question) const
{
    CheckDelta(question.delta);
    Guarantee guarantee;
    guarantee.delta = question.delta;
    guarantee.accountant = Name();
    guarantee.adjacency = ToString(question.adjacency);
    if (!steps.empty() && question.delta < LEAST_DELTA)
    {
        guarantee.epsilon = INF;
        guarantee.reason = "no noise has the tails that a delta below 1e-13 needs";
        return guarantee;
    }
    for (const auto& entry : steps)
    {
        const std::string reason = m_row.unsupported(entry.first, question.adjacency);
        if (!reason.empty())
        {
            guarantee.reason = "the accountant '" + Name() + "' " + reason;
            guarantee.epsilon = INF;
            return guarantee;
        }
    }
    if (!steps.empty())
    {
        m_row.account(steps, question, guarantee);
    }
    if (!(guarantee.epsilon < INF))
    {
        guarantee.epsilon = INF;
        guarantee.lower = std::isfinite(guarantee.lower) ? guarantee.lower : 0.0;
        guarantee.error = 0.0;
        if (guarantee.reason.empty())
        {
            guarantee.reason = "the noise is too small for a finite value";
        }
    }
    return guarantee;
}

const Registry<std::shared_ptr<const Accountant>>&
Accountants()
{
    static const AccountantRegistry REGISTRY = MakeAccountants();
    return REGISTRY;
}

AccountantCache::AccountantCache(std::shared_ptr<const Accountant> accountant,
                                 const AccountingQuery& question)
    : m_accountant(std::move(accountant)),
      m_question(question)
{
}

Guarantee
AccountantCache::Of(const ReleaseTally& releases)
{
    if (!releases.Reason().empty())
    {
        return m_accountant->Evaluate(releases, m_question);
    }
    const StepCounts& steps = releases.Steps();
    const auto known = m_known.find(steps);
    if (known != m_known.end())
    {
        return known->second;
    }
    m_steps += steps.size();
    if (m_steps > MOST_STEPS)
    {
        m_known.clear();
        m_steps = steps.size();
    }
    return m_known.emplace(steps, m_accountant->Evaluate(releases, m_question)).first->second;
}

std::string
CurrentAccountant(const std::string& name)
{
    static const std::map<std::string, std::string> CURRENT{{"optimal", "optimal-composition"},
                                                            {"pure", "basic"}};
    const auto found = CURRENT.find(name);
    return found == CURRENT.end() ? name : found->second;
}

Codec<std::string>
AccountantName(Codec<std::string> codec)
{
    codec.parse = [parse = codec.parse](const std::string& name, const std::string& text) {
        const std::string given = parse(name, text);
        std::string current = CurrentAccountant(given);
        if (current != given)
        {
            WarnOfFormerName("option '" + name + "':", given, current);
        }
        return current;
    };
    return codec;
}

} // namespace dpdl
