// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_ACCOUNTANT_CACHE_H
#define DPDL_PRIVACY_ACCOUNTANT_CACHE_H

#include "dpdl/privacy/accountant.h"

#include <map>
#include <memory>
#include <vector>

namespace dpdl
{

/**
 * @brief One accountant and one question, asked once for each different list of releases.
 *
 * Lists with the same normal form cost the same: nodes that did the same share an evaluation, and
 * what calibration has asked is not asked again at the end of a run.
 */
class AccountantCache
{
  public:
    /**
     * @param accountant answers
     * @param question delta, adjacency, direction
     */
    AccountantCache(std::shared_ptr<const Accountant> accountant, const AccountingQuery& question);

    /**
     * @brief What the accountant says of the releases of one node.
     * @param releases in any order
     * @throws UsageError naming option 'delta' if it is outside (0, 1)
     */
    Guarantee Of(const std::vector<Release>& releases);

    /// Who answers.
    const Accountant& GetAccountant() const
    {
        return *m_accountant;
    }

    /// What is asked.
    const AccountingQuery& GetQuestion() const
    {
        return m_question;
    }

    /// How many different lists were evaluated.
    std::size_t Size() const
    {
        return m_known.size();
    }

  private:
    std::shared_ptr<const Accountant> m_accountant; ///< see GetAccountant()
    AccountingQuery m_question;                     ///< see GetQuestion()
    std::map<StepCounts, Guarantee> m_known;        ///< answers
};

} // namespace dpdl

#endif // DPDL_PRIVACY_ACCOUNTANT_CACHE_H
