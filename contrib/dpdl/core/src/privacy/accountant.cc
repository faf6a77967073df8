// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/accountant.h"

#include "dpdl/privacy/gdp-clt.h"
#include "dpdl/privacy/gdp.h"
#include "dpdl/privacy/pld.h"
#include "dpdl/privacy/rdp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace dpdl
{

namespace
{

constexpr double INF = std::numeric_limits<double>::infinity();

/// Renyi differential privacy, optimised over all real orders.
class RdpAccountant : public Accountant
{
  public:
    std::string Name() const override
    {
        return "rdp";
    }

    bool Certified() const override
    {
        return true;
    }

  protected:
    void Account(const std::vector<Release>& releases, Guarantee& guarantee) const override
    {
        RdpComposition composition;
        for (const Release& release : releases)
        {
            composition.Add(release.Get().rate, release.Mu());
        }
        guarantee.epsilon = composition.Optimise(guarantee.delta).epsilon;
    }
};

/// Privacy-loss distributions, with the Renyi bound where it is smaller.
class PldAccountant : public Accountant
{
  public:
    std::string Name() const override
    {
        return "pld";
    }

    bool Certified() const override
    {
        return true;
    }

  protected:
    void Account(const std::vector<Release>& releases, Guarantee& guarantee) const override
    {
        PldComposition pld;
        RdpComposition rdp;
        for (const Release& release : releases)
        {
            pld.Add(release.Get().rate, release.Mu());
            rdp.Add(release.Get().rate, release.Mu());
        }
        const PldBound bound = pld.Bound(guarantee.delta);
        const double renyi = rdp.Optimise(guarantee.delta).epsilon;
        guarantee.epsilon = std::min(bound.epsilon, renyi);
        guarantee.error = bound.error;
        if (renyi < bound.epsilon)
        {
            guarantee.error = 0.0;
            guarantee.warnings.push_back(
                "the grid is too coarse for these steps and this delta; the Renyi bound is given");
        }
        else if (bound.grouped)
        {
            guarantee.warnings.push_back(
                "many different steps were rounded up to fewer kinds; epsilon is slightly high");
        }
    }
};

/// Gaussian differential privacy: exact, for releases that use every example.
class GdpAccountant : public Accountant
{
  public:
    std::string Name() const override
    {
        return "gdp";
    }

    bool Certified() const override
    {
        return true;
    }

  protected:
    void Account(const std::vector<Release>& releases, Guarantee& guarantee) const override
    {
        double sum = 0.0;
        for (const Release& release : releases)
        {
            if (release.Get().rate != 1.0)
            {
                guarantee.epsilon = INF;
                guarantee.reason = "the accountant 'gdp' accepts releases without sampling only";
                return;
            }
            sum += release.Mu() * release.Mu();
        }
        guarantee.epsilon = GdpEpsilon(std::sqrt(sum), guarantee.delta);
    }
};

/// The central-limit formula: what the literature claims.
class CltAccountant : public Accountant
{
  public:
    std::string Name() const override
    {
        return "clt";
    }

    bool Certified() const override
    {
        return false;
    }

  protected:
    void Account(const std::vector<Release>& releases, Guarantee& guarantee) const override
    {
        std::vector<double> mu;
        std::vector<double> rate;
        for (const Release& release : releases)
        {
            mu.push_back(release.Mu());
            rate.push_back(release.Get().rate);
        }
        guarantee.epsilon = GdpEpsilon(CltMu(mu, rate), guarantee.delta);
        const double kappa = CltKappa(mu, rate);
        if (!(kappa <= 0.02))
        {
            std::ostringstream text;
            text << "the central-limit formula is "
                 << (kappa <= 0.1 ? "inaccurate here" : "not valid here and may be far too small")
                 << ": kappa = " << kappa << ", which should be below 0.02";
            guarantee.warnings.push_back(text.str());
        }
    }
};

using AccountantRegistry = Registry<std::shared_ptr<const Accountant>>;

AccountantRegistry
MakeAccountants()
{
    AccountantRegistry registry("accountant");
    registry.Add(
        {"pld",
         "certified and tight: privacy-loss distributions of Poisson-sampled Gaussian steps",
         "Koskela, Jalko and Honkela 2020; Doroshenko et al. 2022",
         {}},
        std::make_shared<PldAccountant>());
    registry.Add({"rdp",
                  "certified: Renyi DP of Poisson-sampled Gaussian steps, best real order",
                  "Mironov, Talwar and Zhang 2019; Canonne, Kamath and Steinke 2020, Prop. 12",
                  {}},
                 std::make_shared<RdpAccountant>());
    registry.Add({"gdp",
                  "certified and exact: Gaussian steps without sampling",
                  "Dong, Roth and Su 2022",
                  {}},
                 std::make_shared<GdpAccountant>());
    registry.Add({"clt",
                  "claimed only: the central-limit formula, with its validity indicator",
                  "Zhu et al., IJCAI 2025, Prop. 3; Bu et al. 2020",
                  {}},
                 std::make_shared<CltAccountant>());
    registry.Reserve({"contour", "high-precision value, no bound", "contour inversion", {}});
    registry.Reserve({"pure", "basic composition of pure DP", "Dwork et al. 2006", {}});
    registry.Reserve({"advanced", "advanced composition", "Dwork, Rothblum and Vadhan 2010", {}});
    registry.Reserve({"zcdp", "zero-concentrated DP", "Bun and Steinke 2016", {}});
    return registry;
}

} // namespace

Guarantee
Accountant::Evaluate(const std::vector<Release>& releases, double delta) const
{
    if (!(delta > 0.0 && delta < 1.0))
    {
        std::ostringstream text;
        text << delta;
        throw UsageError("option 'delta'", text.str(), "a number in (0, 1)");
    }
    Guarantee guarantee;
    guarantee.delta = delta;
    guarantee.accountant = Name();
    bool batchClip = false;
    for (const Release& release : releases)
    {
        guarantee.reason = release.Obstacle();
        if (!guarantee.reason.empty())
        {
            guarantee.epsilon = INF;
            return guarantee;
        }
        batchClip = batchClip || HasFlag(release.Flags(), ReleaseFlag::BATCH_CLIP);
    }
    if (batchClip)
    {
        guarantee.warnings.push_back(
            "batches were clipped as a whole: twice the clip bound counts");
    }
    if (!releases.empty())
    {
        Account(releases, guarantee);
    }
    if (!(guarantee.epsilon < INF) && guarantee.reason.empty())
    {
        guarantee.epsilon = INF;
        guarantee.reason = "the noise is too small for a finite value";
    }
    return guarantee;
}

const Registry<std::shared_ptr<const Accountant>>&
Accountants()
{
    static const AccountantRegistry REGISTRY = MakeAccountants();
    return REGISTRY;
}

} // namespace dpdl
