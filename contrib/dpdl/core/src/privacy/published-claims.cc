// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "adp-vrsgp-claim.h"
#include "dpdl/privacy/published-claim.h"
#include "dyn-d2p-claim.h"
#include "laplace-claim.h"
#include "moments-claim.h"
#include "no-claim.h"

namespace dpdl
{

namespace
{

using ClaimRegistry = Registry<std::shared_ptr<const PublishedClaim>>;

template <typename T, typename... Arguments>
void
Add(ClaimRegistry& registry, Arguments&&... arguments)
{
    const auto claim = std::make_shared<T>(std::forward<Arguments>(arguments)...);
    registry.Add(claim->Info(), claim);
}

ClaimRegistry
MakeClaims()
{
    using Calibration = DynD2pClaim::Calibration;
    using Scale = MomentsClaim::Scale;
    ClaimRegistry registry("algorithm");
    Add<DynD2pClaim>(registry, "dyn-d2p", 2.0, Calibration::EQUATION_8);
    Add<NoClaim>(registry, "sgp", false);
    Add<DynD2pClaim>(registry, "const-d2p", 1.0, Calibration::EQUATION_8);
    Add<DynD2pClaim>(registry, "dyn-c-d2p", 1.0, Calibration::EQUATION_8);
    Add<DynD2pClaim>(registry, "dyn-mu-d2p", 2.0, Calibration::EQUATION_8);
    Add<DynD2pClaim>(registry, "dyn-d2p-general", 1.0, Calibration::EQUATION_10);
    Add<MomentsClaim>(registry, "const-ada", Scale::SEARCHED_BOUND);
    Add<MomentsClaim>(registry, "clip-d2p", Scale::FIXED_BOUND);
    Add<MomentsClaim>(registry, "ada-d2p", Scale::OWN_NORM);
    for (const char* name : {"dpps", "partpsp-1", "partpsp-2", "sgpdp"})
    {
        Add<LaplaceClaim>(registry, name);
    }
    Add<AdpVrsgpClaim>(registry);
    for (const char* name : {"overlap-sgp", "d-psgd"})
    {
        Add<NoClaim>(registry, name, false);
    }
    for (const char* name :
         {"pedfl", "a-dp2-sgd", "mapa", "ppsgd", "dfedsam", "fed-cdp", "fed-dpa", "fed-an"})
    {
        Add<NoClaim>(registry, name, true);
    }
    return registry;
}

} // namespace

const Registry<std::shared_ptr<const PublishedClaim>>&
PublishedClaims()
{
    static const ClaimRegistry REGISTRY = MakeClaims();
    return REGISTRY;
}

} // namespace dpdl
