// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/claim.h"

#include "claim-inputs.h"
#include "dpdl/privacy/gdp-clt.h"
#include "dpdl/privacy/gdp.h"

#include <limits>

// Claims on real runs: the central limit theorem, the moments formula, the sum of pure epsilons,
// and no claim.

namespace dpdl
{

namespace
{

class CltClaimTotal : public ClaimTotal
{
  public:
    void Add(double mu, double rate) override
    {
        m_total.Add(mu, rate);
    }

    double Spent() const override
    {
        return m_total.Mu();
    }

    double Epsilon(double delta) const override
    {
        const double mu = m_total.Mu();
        return mu > 0.0 ? GdpEpsilon(mu, delta) : 0.0;
    }

  private:
    CltTotal m_total;
};

class CltClaim : public Claim
{
  public:
    std::unique_ptr<ClaimTotal> Start() const override
    {
        return std::make_unique<CltClaimTotal>();
    }

    bool CountsOneExample() const override
    {
        return true;
    }

    std::optional<double> Scale(const ScheduleShape& steps,
                                double epsilon,
                                double delta) const override
    {
        return WithoutLastDigits(CalibrateScaleByClt(steps, epsilon, delta));
    }

    double Kappa(const ScheduleShape& steps) const override
    {
        return CltKappa(steps.mu, steps.rate);
    }
};

class MomentsTotal : public ClaimTotal
{
  public:
    explicit MomentsTotal(double c2)
        : m_c2(c2)
    {
    }

    void Add(double mu, double rate) override
    {
        m_weight += rate * rate * mu * mu;
    }

    double Spent() const override
    {
        return m_weight;
    }

    double Epsilon(double delta) const override
    {
        return MomentsFormula(1.0, m_weight, delta, m_c2).Epsilon(1.0);
    }

  private:
    double m_c2;          ///< the theorem's constant
    double m_weight{0.0}; ///< sum of (rate mu)^2
};

/// The claim of MakeMomentsClaim().
class MomentsFormulaClaim : public Claim
{
  public:
    MomentsFormulaClaim(double c2, PaperRate rate)
        : m_c2(c2),
          m_rate(rate)
    {
    }

    std::unique_ptr<ClaimTotal> Start() const override
    {
        return std::make_unique<MomentsTotal>(m_c2);
    }

    bool CountsOneExample() const override
    {
        return m_rate == PaperRate::ONE_EXAMPLE;
    }

    std::optional<double> Scale(const ScheduleShape& steps,
                                double epsilon,
                                double delta) const override
    {
        CheckTarget(epsilon, delta);
        MomentsTotal total(m_c2);
        for (std::size_t k = 0; k < steps.mu.size(); ++k)
        {
            total.Add(steps.mu[k], steps.rate[k]);
        }
        return epsilon / total.Epsilon(delta);
    }

  private:
    double m_c2;      ///< the theorem's constant
    PaperRate m_rate; ///< p in mode paper
};

class PureSumTotal : public ClaimTotal
{
  public:
    void Add(double mu, double /* rate */) override
    {
        m_sum += mu;
    }

    double Spent() const override
    {
        return m_sum;
    }

    double Epsilon(double /* delta */) const override
    {
        return m_sum;
    }

  private:
    double m_sum{0.0};
};

class PureSumClaim : public Claim
{
  public:
    std::unique_ptr<ClaimTotal> Start() const override
    {
        return std::make_unique<PureSumTotal>();
    }

    std::optional<double> Scale(const ScheduleShape& steps,
                                double epsilon,
                                double delta) const override
    {
        CheckTarget(epsilon, delta);
        PureSumTotal total;
        for (const double mu : steps.mu)
        {
            total.Add(mu, 1.0);
        }
        return epsilon / total.Epsilon(delta);
    }
};

class InfiniteTotal : public ClaimTotal
{
  public:
    void Add(double /* mu */, double /* rate */) override
    {
    }

    double Spent() const override
    {
        return 0.0;
    }

    double Epsilon(double /* delta */) const override
    {
        return std::numeric_limits<double>::infinity();
    }
};

/// The claim of MakeNoClaim().
class NoPublishedClaim : public Claim
{
  public:
    explicit NoPublishedClaim(std::string reason)
        : m_reason(std::move(reason))
    {
    }

    std::unique_ptr<ClaimTotal> Start() const override
    {
        return std::make_unique<InfiniteTotal>();
    }

    std::string Reason() const override
    {
        return m_reason;
    }

    std::optional<double> Scale(const ScheduleShape& /* steps */,
                                double /* epsilon */,
                                double /* delta */) const override
    {
        return std::nullopt;
    }

  private:
    std::string m_reason; ///< reason for the missing formula
};

} // namespace

std::shared_ptr<const Claim>
MakeCltClaim()
{
    return std::make_shared<CltClaim>();
}

std::shared_ptr<const Claim>
MakeMomentsClaim(double c2, PaperRate rate)
{
    return std::make_shared<MomentsFormulaClaim>(c2, rate);
}

std::shared_ptr<const Claim>
MakePureSumClaim()
{
    return std::make_shared<PureSumClaim>();
}

std::shared_ptr<const Claim>
MakeNoClaim(const std::string& reason)
{
    return std::make_shared<NoPublishedClaim>(reason);
}

} // namespace dpdl
