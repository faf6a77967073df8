// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/accountant-cache.h"

#include <algorithm>

namespace dpdl
{

AccountantCache::AccountantCache(std::shared_ptr<const Accountant> accountant,
                                 const AccountingQuery& question)
    : m_accountant(std::move(accountant)),
      m_question(question)
{
}

Guarantee
AccountantCache::Of(const std::vector<Release>& releases)
{
    const bool obstacle = std::any_of(releases.begin(), releases.end(), [](const Release& release) {
        return !release.UnsupportedReason().empty();
    });
    if (obstacle)
    {
        return m_accountant->Evaluate(releases, m_question);
    }
    const StepCounts steps = ToStepCounts(releases);
    const auto known = m_known.find(steps);
    if (known != m_known.end())
    {
        return known->second;
    }
    return m_known.emplace(steps, m_accountant->Evaluate(releases, m_question)).first->second;
}

} // namespace dpdl
