// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "advanced-accountant.h"
#include "clt-accountant.h"
#include "contour-accountant.h"
#include "dpdl/privacy/accountant.h"
#include "gdp-accountant.h"
#include "optimal-accountant.h"
#include "pld-accountant.h"
#include "pure-accountant.h"
#include "rdp-accountant.h"
#include "zcdp-accountant.h"

namespace dpdl
{

namespace
{

using AccountantRegistry = Registry<std::shared_ptr<const Accountant>>;

template <typename T>
void
Add(AccountantRegistry& registry, const std::string& summary, const std::string& source)
{
    const auto accountant = std::make_shared<T>();
    registry.Add({accountant->Name(), summary, source, {}}, accountant);
}

AccountantRegistry
MakeAccountants()
{
    AccountantRegistry registry("accountant");
    Add<PldAccountant>(
        registry,
        "certified and tight: privacy-loss distributions; Gaussian and Laplace "
        "noise, every sampler",
        "Koskela, Jalko and Honkela 2020; Doroshenko et al. 2022; Zhu, Dong and Wang "
        "2022");
    Add<RdpAccountant>(
        registry,
        "certified: Renyi DP, best real order; Gaussian, Laplace and discrete Gaussian noise, "
        "every "
        "sampler",
        "Mironov, Talwar and Zhang 2019; Canonne, Kamath and Steinke 2020, Prop. 12");
    Add<GdpAccountant>(registry,
                       "certified and exact: Gaussian steps without sampling",
                       "Dong, Roth and Su 2022");
    Add<ZcdpAccountant>(registry,
                        "certified: zero-concentrated DP; any noise, without sampling",
                        "Bun and Steinke 2016; Canonne, Kamath and Steinke 2020");
    Add<OptimalAccountant>(registry,
                           "certified: the best for pure DP as a black box; Laplace noise",
                           "Kairouz, Oh and Viswanath 2017");
    Add<AdvancedAccountant>(registry,
                            "certified: advanced composition of pure DP; Laplace noise",
                            "Dwork, Rothblum and Vadhan 2010");
    Add<PureAccountant>(registry,
                        "certified at any delta: the sum of pure DP; Laplace noise",
                        "Dwork et al. 2006; Balle, Barthe and Gaboardi 2018");
    Add<CltAccountant>(registry,
                       "claimed only: the central-limit formula, with its validity indicator",
                       "Zhu et al., IJCAI 2025, Prop. 3; Bu et al. 2020");
    Add<ContourAccountant>(
        registry,
        "a value and no bound: the exact curve to ten digits, by contour inversion",
        "the Laplace inversion of the moment generating function at its saddle point");
    return registry;
}

} // namespace

const Registry<std::shared_ptr<const Accountant>>&
Accountants()
{
    static const AccountantRegistry REGISTRY = MakeAccountants();
    return REGISTRY;
}

} // namespace dpdl
