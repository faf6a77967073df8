// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_CLAIM_INPUTS_H
#define DPDL_PRIVACY_CLAIM_INPUTS_H

#include "dpdl/privacy/published-claim.h"

namespace dpdl
{

/// The settings of a planned run, checked, with the defaults of a claim in place.
class ClaimInputs
{
  public:
    /**
     * @param settings the run; must outlive this object
     * @param info names the parameters; a default that depends on the mode is the paper's own
     *        value in mode paper
     * @throws UsageError naming the option that is out of range
     */
    ClaimInputs(const ClaimSettings& settings, const PartInfo& info);

    /// The run as it was given.
    const ClaimSettings& Settings() const
    {
        return m_settings;
    }

    /// True in mode paper.
    bool IsPaper() const
    {
        return m_settings.mode == Mode::PAPER;
    }

    /// True if the parameter was given.
    bool Has(const std::string& name) const;

    /**
     * @brief A parameter that must be positive.
     * @throws UsageError naming the option if it is not finite and > 0
     */
    double Positive(const std::string& name) const;

    /// K as a number.
    double Rounds() const;

    /// J as a number.
    double LocalSamples() const;

    /// B: as given, or @p inPaper in mode paper, else 64; never above J unless given so.
    double BatchSize(double inPaper) const;

    /**
     * @brief What of the claim's assumptions on the sampling does not hold.
     * @param claimedRate sampling probability of the formula
     * @param rate of the real run
     * @return one sentence each
     */
    std::vector<std::string> SamplingWarnings(double claimedRate, double rate) const;

    /**
     * @brief Steps of the real run.
     * @param rate B / J
     * @param noise noise / clip bound
     * @param steps how many
     * @param flags of the releases
     */
    StepGroup Group(double rate, double noise, std::uint64_t steps, ReleaseFlag flags) const;

    /**
     * @brief The factor on the noise of steps that makes an accountant confirm the target.
     * @param accountant a certified one
     * @param steps at noise 1, or any other
     * @throws UsageError if the accountant certifies nothing, or the target cannot be reached
     */
    double NoiseFactor(const Accountant& accountant, const std::vector<StepGroup>& steps) const;

  private:
    const ClaimSettings& m_settings;
    std::map<std::string, std::string> m_defaults; ///< of the parameters, as text
};

} // namespace dpdl

#endif // DPDL_PRIVACY_CLAIM_INPUTS_H
