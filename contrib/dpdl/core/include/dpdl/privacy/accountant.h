// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_ACCOUNTANT_H
#define DPDL_PRIVACY_ACCOUNTANT_H

#include "dpdl/base/codec.h"
#include "dpdl/base/registry.h"
#include "dpdl/base/release.h"
#include "dpdl/privacy/privacy-step.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace dpdl
{

/// Direction of a comparison of outputs: which of two neighbouring datasets has distribution P,
/// from which the privacy loss log(dP/dQ) is drawn.
enum class Direction
{
    BOTH,   ///< both directions: the larger of the two epsilons, which is a guarantee
    REMOVE, ///< P: outputs with the additional example; Q: outputs without it
    ADD,    ///< P: outputs without the additional example; Q: outputs with it
};

/// Parameters of a guarantee: delta, neighbouring relation and direction.
struct AccountingQuery
{
    /// Delta of the guarantee, in (0, 1). Below 1e-13 the epsilon of every step is infinite.
    double delta{1e-5};
    Adjacency adjacency{Adjacency::ADD_REMOVE}; ///< neighbouring relation of datasets
    /// Direction of the comparison; REMOVE or ADD alone is no guarantee.
    Direction direction{Direction::BOTH};
};

/// Guarantee that an accountant computed for the releases of one node.
struct Guarantee
{
    double epsilon{0.0};    ///< epsilon at `delta`, at least 0; infinity: no guarantee
    double delta{0.0};      ///< delta of the guarantee, in (0, 1)
    std::string accountant; ///< name of the accountant that computed the guarantee
    /// Name of the neighbouring relation: `add-remove` or `replace`.
    std::string adjacency{"add-remove"};
    std::string reason; ///< reason for an infinite epsilon, one line; "": epsilon is finite
    std::vector<std::string> warnings; ///< caveats for the user, one line each
    double lower{0.0}; ///< estimated lower bound of the exact epsilon, not proven; 0: not computed
    /// epsilon - lower: estimated numerical error of `epsilon`; 0: not computed, or exact.
    double error{0.0};
};

/// Description of an accountant, with the two functions that class Accountant calls.
struct AccountantRow
{
    std::string name;     ///< name in option `accountant`, kebab-case
    std::string summary;  ///< description in one line, for `list accountants`
    std::string source;   ///< citation of the paper that proves the bound
    bool certified{true}; ///< true: epsilon is a proven upper bound; false: a claim or an estimate
    /// Returns the reason why the accountant cannot evaluate a step, as the end of a message "the
    /// accountant 'NAME' ..."; "": it can evaluate the step.
    std::string (*unsupported)(const PrivacyStep& step, Adjacency adjacency){nullptr};
    /// Evaluates the composition of one or more steps, for all of which `unsupported` returns "".
    /// Sets epsilon of @p guarantee, and optionally its reason, warnings, lower and error.
    void (*account)(const StepCounts& steps, const AccountingQuery& question, Guarantee& guarantee){
        nullptr};
};

/**
 * @brief Computes the (epsilon, delta) guarantee of the releases of one node.
 *
 * Epsilon is infinite, with a reason, if a release is not supported: an unknown mechanism or
 * sampler, no noise, no clipping, a noise scale that depends on private data, or a number that is
 * not finite. Epsilon is 0 without releases.
 */
class Accountant
{
  public:
    /// @param row description of the accountant, with both functions
    explicit Accountant(AccountantRow row);

    /// Name of the accountant in Accountants().
    const std::string& Name() const
    {
        return m_row.name;
    }

    /// True if epsilon is a proven upper bound. False: it is a claim or an estimate.
    bool Certified() const
    {
        return m_row.certified;
    }

    /**
     * @brief Evaluates the releases of one node.
     * @param releases all releases of the node, in any order
     * @param question delta, neighbouring relation and direction
     * @throws UsageError naming option 'delta' if it is outside (0, 1)
     */
    Guarantee Evaluate(const ReleaseTally& releases, const AccountingQuery& question) const;

    /**
     * @brief Evaluates the steps of one node.
     * @param steps steps and their counts, with finite numbers in the ranges of PrivacyStep; empty:
     *        epsilon 0
     * @param question delta, neighbouring relation and direction
     * @throws UsageError naming option 'delta' if it is outside (0, 1)
     */
    Guarantee Evaluate(const StepCounts& steps, const AccountingQuery& question) const;

  private:
    AccountantRow m_row; ///< description of the accountant, with both functions
};

/// Registry of all accountants, by their name in option `accountant`.
const Registry<std::shared_ptr<const Accountant>>& Accountants();

/**
 * @brief Caches the guarantees of one accountant for one query.
 *
 * Lists of releases with equal step counts share one evaluation, even for different nodes. If a new
 * list would raise the total number of different steps in the cache above MOST_STEPS, the cache is
 * emptied first.
 */
class AccountantCache
{
  public:
    /**
     * @param accountant accountant that evaluates lists of releases
     * @param question delta, neighbouring relation and direction
     */
    AccountantCache(std::shared_ptr<const Accountant> accountant, const AccountingQuery& question);

    /**
     * @brief Guarantee of the releases of one node.
     * @param releases all releases of the node, in any order
     * @return the guarantee; its epsilon is infinite if a release is not supported
     * @throws UsageError naming option 'delta' if it is outside (0, 1)
     */
    Guarantee Of(const ReleaseTally& releases);

    /// Accountant that evaluates lists of releases.
    const Accountant& GetAccountant() const
    {
        return *m_accountant;
    }

    /// Query of every evaluation: delta, neighbouring relation and direction.
    const AccountingQuery& GetQuestion() const
    {
        return m_question;
    }

    /// Largest total number of different steps in the cached lists. A list with more steps is
    /// cached alone.
    static constexpr std::size_t MOST_STEPS = std::size_t{1} << 16;

    /// Number of cached guarantees.
    std::size_t Size() const
    {
        return m_known.size();
    }

  private:
    std::shared_ptr<const Accountant> m_accountant; ///< accountant that computes the guarantees
    AccountingQuery m_question;                     ///< delta, neighbouring relation and direction
    /// Cached guarantees; key: step counts of a list of releases.
    std::map<StepCounts, Guarantee> m_known;
    std::size_t m_steps{0}; ///< total number of different steps in m_known
};

/// Translates a former name of an accountant to its current name. Returns any other text unchanged.
std::string CurrentAccountant(const std::string& name);

/// Returns a copy of @p codec that also accepts former names of accountants: it translates them and
/// warns on standard error.
Codec<std::string> AccountantName(Codec<std::string> codec);

} // namespace dpdl

#endif // DPDL_PRIVACY_ACCOUNTANT_H
