// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_ACCOUNTANT_H
#define DPDL_PRIVACY_ACCOUNTANT_H

#include "dpdl/base/registry.h"
#include "dpdl/privacy/privacy-step.h"
#include "dpdl/privacy/release.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace dpdl
{

/// Which of two neighbouring datasets the mechanism saw.
enum class Direction
{
    BOTH,   ///< either: what a guarantee needs
    REMOVE, ///< the one with the example
    ADD,    ///< the one without it
};

/// What is asked of an accountant.
struct AccountingQuery
{
    double delta{1e-5};                         ///< in (0, 1)
    Adjacency adjacency{Adjacency::ADD_REMOVE}; ///< which datasets are neighbours
    Direction direction{Direction::BOTH};       ///< one direction alone is no guarantee
};

/// What an accountant says of a list of releases.
struct Guarantee
{
    double epsilon{0.0};                 ///< at least 0; infinity if there is no guarantee
    double delta{0.0};                   ///< as asked for
    std::string accountant;              ///< name of the accountant
    std::string adjacency{"add-remove"}; ///< what two neighbouring datasets differ in
    std::string reason;                  ///< why epsilon is infinite, one line; else ""
    std::vector<std::string> warnings;   ///< what a reader must also know, one line each
    double lower{0.0}; ///< estimate of what the exact value is not below; 0: not known
    double error{0.0}; ///< how much of epsilon is numerical slack; 0: nothing beyond rounding
};

/// What only one accountant has.
struct AccountantRow
{
    std::string name;     ///< kebab-case
    std::string summary;  ///< one line
    std::string source;   ///< paper
    bool certified{true}; ///< see Accountant::Certified()
    /// Why it has no answer for a kind of step: what follows "the accountant 'NAME'", or "".
    std::string (*unsupported)(const PrivacyStep& step, const AccountingQuery& question){nullptr};
    /// Evaluates supported steps, at least one; sets epsilon, and what else it knows.
    void (*account)(const StepCounts& steps, const AccountingQuery& question, Guarantee& guarantee){
        nullptr};
};

/**
 * @brief Turns the releases of one node into (epsilon, delta).
 *
 * Accountants fail closed: anything that they cannot account for (an unknown mechanism or sampler,
 * no noise, no clipping, a noise scale that depends on data, a number that is not finite) gives an
 * infinite epsilon and a reason, never a number that ignores it. No releases at all cost nothing.
 */
class Accountant
{
  public:
    /// @param row with both functions
    explicit Accountant(AccountantRow row);

    /// The name under which it is registered.
    const std::string& Name() const;

    /// True if its epsilon is a proven upper bound; false if it is only a claim or a value.
    bool Certified() const;

    /**
     * @brief Evaluates the releases of one node.
     * @param releases in any order
     * @param question delta, adjacency, direction
     * @throws UsageError naming option 'delta' if it is outside (0, 1)
     */
    Guarantee Evaluate(const std::vector<Release>& releases, const AccountingQuery& question) const;

    /// Same for releases that were counted before.
    Guarantee Evaluate(const ReleaseTally& releases, const AccountingQuery& question) const;

    /// Same for add/remove adjacency, both directions.
    Guarantee Evaluate(const std::vector<Release>& releases, double delta) const;

    /**
     * @brief Same for steps that were counted before.
     * @param steps each with finite numbers in the ranges that PrivacyStep names
     * @param question delta, adjacency, direction
     * @throws UsageError naming option 'delta' if it is outside (0, 1)
     */
    Guarantee Evaluate(const StepCounts& steps, const AccountingQuery& question) const;

  private:
    AccountantRow m_row; ///< what this accountant is
};

/// All accountants, by name.
const Registry<std::shared_ptr<const Accountant>>& Accountants();

/**
 * @brief One accountant and one question, asked once for each different list of releases.
 *
 * Lists with the same normal form cost the same: nodes that did the same share an evaluation, and
 * what calibration has asked is not asked again at the end of a run. Answers to lists of MOST_STEPS
 * different steps in all are kept: then it begins anew.
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
     * @brief Guarantee of the releases of one node.
     * @param releases in any order
     * @throws UsageError naming option 'delta' if it is outside (0, 1)
     */
    Guarantee Of(const std::vector<Release>& releases)
    {
        return Of(TallyOf(releases));
    }

    /// Same for releases that were counted before.
    Guarantee Of(const ReleaseTally& releases);

    /// The accountant.
    const Accountant& GetAccountant() const
    {
        return *m_accountant;
    }

    /// Delta, neighbouring relation and direction.
    const AccountingQuery& GetQuestion() const
    {
        return m_question;
    }

    /// Different steps of all lists whose answers are kept, or those of the last list alone.
    static constexpr std::size_t MOST_STEPS = std::size_t{1} << 16;

    /// Number of different lists that were evaluated and are kept.
    std::size_t Size() const
    {
        return m_known.size();
    }

  private:
    std::shared_ptr<const Accountant> m_accountant; ///< see GetAccountant()
    AccountingQuery m_question;                     ///< see GetQuestion()
    std::map<StepCounts, Guarantee> m_known;        ///< answers
    std::size_t m_steps{0};                         ///< of all lists in m_known
};

} // namespace dpdl

#endif // DPDL_PRIVACY_ACCOUNTANT_H
