// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/certified-curve.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <ostream>

namespace dpdl
{
namespace
{

constexpr double CURVE_DELTA = 1e-5;

/// What the nodes of a small run release.
struct Scenario
{
    std::string name;
    std::string accountant{"pld"};
    std::string mechanism{"gaussian"};
    std::string sampler{"poisson"};
    double rate{0.05};  ///< of node 0; each next one samples a tenth more
    double mu{0.8};     ///< of the first round
    double growth{1.0}; ///< factor of mu over all rounds
    Round rounds{60};
    NodeId nodes{1};
    Adjacency adjacency{Adjacency::ADD_REMOVE};
    bool crash{false}; ///< node 0 is away in the second third, node 1 in every fifth round
    bool stray{false}; ///< in round 20 node 0 releases more than was planned
    bool local{false}; ///< two releases a round
};

std::ostream&
operator<<(std::ostream& out, const Scenario& scenario)
{
    return out << scenario.name;
}

class CertifiedCurveTest : public testing::TestWithParam<Scenario>
{
  protected:
    std::vector<Release> Planned(NodeId node, Round round) const
    {
        const Scenario& run = GetParam();
        const double rate = run.sampler == "full" ? 1.0 : run.rate * (1.0 + 0.1 * node);
        const double mu = run.mu * std::pow(run.growth, double(round) / run.rounds);
        Release fields{node, round, run.mechanism, run.sampler, rate, mu, 1.0};
        fields.epoch = static_cast<std::uint32_t>(round * rate);
        std::vector<Release> releases{fields};
        if (run.local)
        {
            fields.stream = 1;
            releases.emplace_back(fields);
        }
        return releases;
    }

    std::vector<Release> Made(NodeId node, Round round) const
    {
        const Scenario& run = GetParam();
        const bool away = run.crash && (node == 0 ? round * 3 / run.rounds == 1 : round % 5 == 0);
        std::vector<Release> releases;
        if (!away)
        {
            releases = Planned(node, round);
        }
        if (run.stray && node == 0 && round == 20)
        {
            Release fields = releases.front();
            fields.sensitivity *= 1.5;
            releases.front() = fields;
            fields.stream = 2;
            releases.emplace_back(fields);
        }
        return releases;
    }

    std::shared_ptr<AccountantCache> m_guarantees =
        std::make_shared<AccountantCache>(Accountants().Get(GetParam().accountant),
                                          AccountingQuery{CURVE_DELTA, GetParam().adjacency});
};

TEST_P(CertifiedCurveTest, EveryRowIsTheAccountantsValueWithinTheTolerance)
{
    const Scenario& run = GetParam();
    PrivacyLedger ledger(run.nodes);
    std::vector<std::vector<Release>> lists(run.nodes);
    std::vector<double> exact;
    for (Round round = 0; round < run.rounds; ++round)
    {
        double largest = 0.0;
        for (NodeId node = 0; node < run.nodes; ++node)
        {
            for (const Release& release : Made(node, round))
            {
                ledger.Append(release);
                lists[node].push_back(release);
            }
            largest = std::max(largest, m_guarantees->Of(lists[node]).epsilon);
        }
        exact.push_back(largest);
    }
    for (const double shared : {2e-3, 5e-2})
    {
        const std::vector<double> rows = CertifiedCurve(ledger, *m_guarantees, run.rounds, shared);
        ASSERT_EQ(rows.size(), run.rounds);
        for (Round row = 0; row < run.rounds; ++row)
        {
            EXPECT_GE(rows[row], row > 0 ? rows[row - 1] : 0.0) << row;
            EXPECT_GE(rows[row], exact[row] * (1.0 - 3e-4) - 4e-7) << row;
            EXPECT_LE(rows[row], exact[row] * (1.0 + CURVE_TOLERANCE + shared) + 4e-7) << row;
        }
    }
}

TEST(CertifiedCurve, IsInfiniteFromTheFirstReleaseThatNoAccountantCovers)
{
    PrivacyLedger ledger(2);
    for (Round round = 0; round < 6; ++round)
    {
        Release fields{0, round, "gaussian", "poisson", 0.1, 1.0, 1.0};
        ledger.Append(fields);
        fields.node = 1;
        fields.flags = round == 3 ? ReleaseFlag::UNNOISED_RELEASE : fields.flags;
        ledger.Append(fields);
    }
    const AccountantCache guarantees(Accountants().Get("pld"), {CURVE_DELTA});
    const std::vector<double> rows = CertifiedCurve(ledger, guarantees, 6);
    for (Round row = 0; row < 6; ++row)
    {
        EXPECT_EQ(std::isfinite(rows[row]), row < 3) << row;
    }
}

std::vector<Scenario>
Scenarios()
{
    std::vector<Scenario> all;
    const auto add = [&all](const std::string& name, const std::function<void(Scenario&)>& set) {
        Scenario scenario;
        scenario.name = name;
        set(scenario);
        all.push_back(scenario);
    };
    for (const std::string accountant : {"pld", "rdp"})
    {
        const auto more = [&](const std::string& name, const std::function<void(Scenario&)>& set) {
            add(accountant + "-" + name, [&](Scenario& run) {
                run.accountant = accountant;
                set(run);
            });
        };
        more("constant", [](Scenario&) {});
        more("long", [](Scenario& run) {
            run.rounds = 400;
            run.rate = 0.01;
        });
        more("growing", [](Scenario& run) { run.growth = 3.0; });
        more("falling", [](Scenario& run) { run.growth = 0.02; });
        more("replace", [](Scenario& run) { run.adjacency = Adjacency::REPLACE; });
        more("fixed", [](Scenario& run) { run.sampler = "fixed"; });
        more("full", [](Scenario& run) { run.sampler = "full"; });
        more("shuffle", [](Scenario& run) {
            run.sampler = "shuffle";
            run.growth = 2.0;
        });
        more("laplace", [](Scenario& run) { run.mechanism = "laplace"; });
        more("laplace-shuffle", [](Scenario& run) {
            run.mechanism = "laplace";
            run.sampler = "shuffle";
        });
        more("nodes", [](Scenario& run) {
            run.nodes = 4;
            run.local = true;
        });
        more("crash", [](Scenario& run) {
            run.nodes = 3;
            run.crash = true;
        });
        more("stray", [](Scenario& run) {
            run.nodes = 2;
            run.stray = true;
        });
        more("weak", [](Scenario& run) {
            run.mu = 6.0;
            run.rate = 0.3;
        });
        more("rare", [](Scenario& run) {
            run.mu = 1.3;
            run.growth = 2.0;
            run.rate = 0.0004;
            run.rounds = 150;
        });
        more("tiny", [](Scenario& run) {
            run.mu = 0.05;
            run.rate = 0.01;
        });
    }
    for (const std::string accountant : {"gdp", "zcdp"})
    {
        add(accountant, [&](Scenario& run) {
            run.accountant = accountant;
            run.sampler = "full";
            run.growth = 2.0;
            run.nodes = 2;
            run.crash = true;
        });
    }
    for (const std::string accountant : {"basic", "optimal-composition", "advanced"})
    {
        add(accountant, [&](Scenario& run) {
            run.accountant = accountant;
            run.mechanism = "laplace";
            run.sampler = "full";
            run.mu = 0.05;
        });
    }
    add("discrete", [](Scenario& run) {
        run.accountant = "rdp";
        run.mechanism = "discrete-gaussian";
    });
    return all;
}

/// The scenarios that are dear with 'pld', or the others.
std::vector<Scenario>
Scenarios(bool dear)
{
    std::vector<Scenario> found;
    for (const Scenario& run : Scenarios())
    {
        if (dear == (run.name == "pld-long" || run.name == "pld-growing" || run.name == "pld-rare"))
        {
            found.push_back(run);
        }
    }
    return found;
}

std::string
NameOf(const testing::TestParamInfo<Scenario>& info)
{
    std::string name = info.param.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Runs, CertifiedCurveTest, testing::ValuesIn(Scenarios(false)), NameOf);
INSTANTIATE_TEST_SUITE_P(Others, CertifiedCurveTest, testing::ValuesIn(Scenarios(true)), NameOf);

} // namespace
} // namespace dpdl
