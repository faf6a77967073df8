// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "laplace-claim.h"

#include "claim-inputs.h"

namespace dpdl
{

LaplaceClaim::LaplaceClaim(std::string name)
    : m_name(std::move(name))
{
}

PartInfo
LaplaceClaim::Info() const
{
    return {m_name,
            "Laplace noise scaled by a network-wide sensitivity that is estimated during the run",
            "Zhou, Xue and Chen (arXiv:2602.11544), Theorem 1",
            {{"noiseRate", "0.001", "gamma_n, by which the noise is multiplied"}}};
}

std::string
LaplaceClaim::Formula() const
{
    return "epsilon of a round = b / gamma_n, rounds add up; --epsilon is b";
}

std::vector<Premise>
LaplaceClaim::Assumptions() const
{
    return {{"b-strong-connectivity", "the union of any B rounds' graphs is strongly connected"},
            {"maximum-heard", "every node knows the largest sensitivity before it adds noise"},
            {"public-noise-scale", "the estimated sensitivity tells nothing of the data"},
            {"estimate-dominates", "the estimate, with tuned constants, is never too small"},
            {"node-adjacency", "neighbours differ in which node answered, not in one example"},
            {"pure-composition", "the epsilons of the rounds add up"}};
}

ClaimedRun
LaplaceClaim::Run(const ClaimSettings& settings, const Accountant& /* accountant */) const
{
    const ClaimInputs inputs(settings, Info());
    const double rate = inputs.Positive("noiseRate");
    const double perRound = settings.epsilon / rate;
    ClaimedRun run;
    run.claimed = perRound * inputs.Rounds();
    run.flags = ReleaseFlag::DATA_DEPENDENT_SCALE | ReleaseFlag::UNNOISED_RELEASE;
    run.obstacle = "the noise scale is computed from private gradients, and the number broadcast "
                   "each round gives the norm of the noise away";
    StepGroup group;
    group.mechanism = "laplace";
    group.sampler = "full";
    group.noise = 1.0 / perRound;
    group.steps = settings.rounds;
    group.flags = run.flags;
    run.steps = {group};
    run.warnings.emplace_back("node-adjacency: the claim hides which node sent a vector, not what "
                              "one example contributed");
    run.schedule = {{"noise_rate", rate}, {"b", settings.epsilon}, {"epsilon_round", perRound}};
    return run;
}

} // namespace dpdl
