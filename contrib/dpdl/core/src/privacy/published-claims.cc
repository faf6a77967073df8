// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "built-in-claims.h"
#include "claim-inputs.h"
#include "dpdl/privacy/published-claim.h"

#include <string>
#include <vector>

namespace dpdl
{

namespace
{

/**
 * @brief DPPS and the algorithms built on it (Zhou, Xue and Chen, arXiv:2602.11544, Theorem 1).
 *
 * A round adds Laplace noise of scale gamma_n S / b and claims (b / gamma_n)-DP; rounds add up. S
 * is computed from the private gradients. Each round also broadcasts a number that reveals the norm
 * of the previous round's noise.
 */
class LaplaceClaim : public PublishedClaim
{
  public:
    /// @param name of the algorithm
    explicit LaplaceClaim(std::string name)
        : m_name(std::move(name))
    {
    }

    PartInfo Info() const override
    {
        return {
            m_name,
            "Laplace noise scaled by a network-wide sensitivity that is estimated during the run",
            "Zhou, Xue and Chen (arXiv:2602.11544), Theorem 1",
            {{"noiseRate", "0.001", "gamma_n, by which the noise is multiplied"}}};
    }

    std::string Formula() const override
    {
        return "epsilon of a round = b / gamma_n, rounds add up; --epsilon is b";
    }

    bool Describes(Mode mode) const override
    {
        // Mode sound estimates nothing.
        return mode == Mode::PAPER;
    }

    std::vector<Premise> Assumptions() const override
    {
        return {
            {"b-strong-connectivity", "the union of any B rounds' graphs is strongly connected"},
            {"maximum-heard", "every node knows the largest sensitivity before it adds noise"},
            {"public-noise-scale", "the estimated sensitivity tells nothing of the data"},
            {"estimate-dominates", "the estimate, with tuned constants, is never too small"},
            {"node-adjacency", "neighbours differ in which node answered, not in one example"},
            {"pure-composition", "the epsilons of the rounds add up"}};
    }

    ClaimedRun Run(const ClaimSettings& settings, const Accountant& /* accountant */) const override
    {
        const ClaimInputs inputs(settings, Info());
        const double rate = inputs.Positive("noiseRate");
        const double perRound = settings.epsilon / rate;
        ClaimedRun run;
        run.claimed = perRound * inputs.Rounds();
        run.flags = ReleaseFlag::DATA_DEPENDENT_SCALE | ReleaseFlag::UNNOISED_RELEASE;
        run.unsupported =
            "the noise scale is computed from private gradients, and the number broadcast "
            "each round gives the norm of the noise away";
        StepGroup group;
        group.mechanism = "laplace";
        group.sampler = "full";
        group.noise = 1.0 / perRound;
        group.steps = settings.rounds;
        group.flags = run.flags;
        run.steps = {group};
        run.warnings.emplace_back(
            "node-adjacency: the claim hides which node sent a vector, not what "
            "one example contributed");
        run.schedule = {{"noise_rate", rate}, {"b", settings.epsilon}, {"epsilon_round", perRound}};
        return run;
    }

  private:
    std::string m_name;
};

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
