// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_CLAIM_INPUTS_H
#define DPDL_PRIVACY_CLAIM_INPUTS_H

#include "dpdl/privacy/published-claim.h"

#include <string>
#include <vector>

namespace dpdl
{

/// Checked settings of a planned run, with the claim's defaults filled in.
class ClaimInputs
{
  public:
    /**
     * @param settings of the run; must outlive this object
     * @param info describes the parameters; in mode paper, a default that depends on the mode is
     *        the paper's value
     * @throws UsageError naming the option that is out of range
     */
    ClaimInputs(const ClaimSettings& settings, const PartInfo& info);

    /// The given settings.
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

    /// K, the number of rounds.
    double Rounds() const;

    /// J, the number of local samples.
    double LocalSamples() const;

    /// B: as given, else @p inPaper in mode paper, else 64; a default is at most J.
    double BatchSize(double inPaper) const;

    /**
     * @brief Violated assumptions of the claim on the sampling.
     * @param claimedRate sampling probability in the formula
     * @param rate sampling probability of the run
     * @return one line each
     */
    std::vector<std::string> SamplingWarnings(double claimedRate, double rate) const;

    /**
     * @brief A group of steps of the run.
     * @param rate B / J
     * @param noise noise / clip bound
     * @param steps number of steps
     * @param flags of the releases
     */
    StepGroup Group(double rate, double noise, std::uint64_t steps, ReleaseFlag flags) const;

    /**
     * @brief The factor on the noise of the steps with which an accountant confirms the target.
     * @param accountant a certified one
     * @param steps at any noise above 0
     * @throws UsageError if the accountant is not certified, or if the target cannot be reached
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
 * The theorem states that constants c1 and c2 exist for which this suffices if epsilon < c1 q^2 T.
 * Its proof assumes noise >= 1, q < 1 / (16 noise), and an integer order lambda <= noise^2 log(1 /
 * (q noise)). Papers leave the constants open; the algebra of the original gives c2 = 2.
 */
class MomentsFormula
{
  public:
    /**
     * @param rate q, in (0, 1]
     * @param weight sum of the a_t^-2; the number of steps T for constant noise
     * @param delta in (0, 1)
     * @param c2 the constant, > 0
     */
    MomentsFormula(double rate, double weight, double delta, double c2);

    /// The formula's noise for an epsilon, as a multiple of the sensitivity at a_t = 1.
    double Noise(double epsilon) const;

    /// The formula's epsilon for a noise.
    double Epsilon(double noise) const;

    /**
     * @brief Violated preconditions of the theorem.
     * @param epsilon claimed
     * @param noise the smallest of the schedule, as a multiple of the sensitivity
     * @param steps T
     * @return one line each, starting with the name of the assumption, `moments-regime`
     */
    std::vector<std::string> Warnings(double epsilon, double noise, double steps) const;

  private:
    double m_rate;
    double m_root; ///< noise * epsilon
};

} // namespace dpdl

#endif // DPDL_PRIVACY_CLAIM_INPUTS_H
