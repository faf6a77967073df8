// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_PUBLISHED_CLAIM_H
#define DPDL_PRIVACY_PUBLISHED_CLAIM_H

#include "dpdl/base/registry.h"
#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/step-group.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// Which reading of a paper is in force.
enum class Mode
{
    SOUND, ///< noise calibrated with a rigorous accountant for the sampling that really happens
    PAPER, ///< the paper's literal choice of noise, by its own formula
};

/// The planned run of an algorithm whose privacy is asked for.
struct ClaimSettings
{
    Mode mode{Mode::SOUND};                   ///< where the noise comes from
    double epsilon{1.0};                      ///< what the algorithm is asked to reach, > 0
    std::uint64_t rounds{1};                  ///< K, 1 to MOST_ROUNDS
    std::uint64_t localSamples{1};            ///< J, at least 1
    std::string sampler{"poisson"};           ///< of the real batches, as in Release
    AccountingQuery question;                 ///< delta, adjacency
    std::map<std::string, double> parameters; ///< those given, by the names of the claim's info

    /// The most rounds of a planned run.
    static constexpr std::uint64_t MOST_ROUNDS = 1000000;
};

/// Something that a published claim rests on.
struct Premise
{
    std::string name;    ///< kebab-case; never changes its meaning
    std::string meaning; ///< one line without a full stop
};

/// What an algorithm claims of a planned run, and what it would send.
struct ClaimedRun
{
    std::optional<double> claimed;        ///< epsilon by the paper's formula; none: no formula
    std::vector<StepGroup> steps;         ///< the releases of one node; empty if not described
    StepCounts counts;                    ///< those of a plan, if `steps` is empty
    std::string unsupported;              ///< why nothing finite can be certified, one line; or ""
    ReleaseFlag flags{ReleaseFlag::NONE}; ///< of the releases
    std::vector<std::string> warnings;    ///< preconditions that do not hold
    std::vector<std::pair<std::string, double>> schedule; ///< figures of the plan, by name
};

/**
 * @brief What the paper of an algorithm says about its privacy, as a formula that can be evaluated
 * next to a proven bound.
 *
 * A claim is never a guarantee. Run() returns both sides: the epsilon that the paper prints, and
 * the steps from which an accountant computes what can be proven.
 */
class PublishedClaim
{
  public:
    virtual ~PublishedClaim() = default;

    /// Name, summary, paper, and the parameters with their defaults.
    virtual PartInfo Info() const = 0;

    /// The formula for epsilon or for the noise, one line; "" for none.
    virtual std::string Formula() const = 0;

    /// False if the paper says nothing of what the algorithm does in this mode.
    virtual bool Describes(Mode /* mode */) const
    {
        return true;
    }

    /// What the claim rests on.
    virtual std::vector<Premise> Assumptions() const = 0;

    /**
     * @brief Plans a run.
     * @param settings the run
     * @param accountant calibrates in mode sound
     * @throws UsageError if a number is out of range, or if mode sound is asked for and the
     *         accountant certifies nothing or cannot reach the target
     */
    virtual ClaimedRun Run(const ClaimSettings& settings, const Accountant& accountant) const = 0;
};

/// The claims of the algorithms whose papers have one.
const Registry<std::shared_ptr<const PublishedClaim>>& PublishedClaims();

} // namespace dpdl

#endif // DPDL_PRIVACY_PUBLISHED_CLAIM_H
