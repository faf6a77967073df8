// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_CLAIM_INPUTS_H
#define DPDL_PRIVACY_CLAIM_INPUTS_H

#include "dpdl/privacy/published-claim.h"

#include <string>
#include <vector>

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
     * @return one line each
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

/**
 * @brief The asymptotic noise formula of the moments accountant (Abadi et al., 2016, Theorem 1).
 *
 *     noise = c2 q sqrt(sum_t a_t^-2 log(1 / delta)) / epsilon
 *
 * The theorem says that constants c1 and c2 exist for which this suffices if epsilon < c1 q^2 T.
 * Its proof holds for noise >= 1, q < 1 / (16 noise), and needs a whole order lambda <= noise^2
 * log(1 / (q noise)). Papers leave the constants open; the algebra of the original gives c2 = 2.
 */
class MomentsFormula
{
  public:
    /**
     * @param rate q, in (0, 1]
     * @param weight sum of the a_t^-2; the number of steps T where the noise is constant
     * @param delta in (0, 1)
     * @param c2 the constant, > 0
     */
    MomentsFormula(double rate, double weight, double delta, double c2);

    /// The noise, as a multiple of the sensitivity at a_t = 1, that the formula gives epsilon.
    double Noise(double epsilon) const;

    /// The epsilon that the formula gives a noise.
    double Epsilon(double noise) const;

    /**
     * @brief Which of the theorem's preconditions do not hold.
     * @param epsilon claimed
     * @param noise the smallest of the schedule, as a multiple of the sensitivity
     * @param steps T
     * @return one line each, with the name of the assumption, `moments-regime`, first
     */
    std::vector<std::string> Warnings(double epsilon, double noise, double steps) const;

  private:
    double m_rate;
    double m_root; ///< noise * epsilon
};

} // namespace dpdl

#endif // DPDL_PRIVACY_CLAIM_INPUTS_H
