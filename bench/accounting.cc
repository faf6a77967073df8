// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * What accounting costs: bounds for thousands of steps, and what a run has spent so far. One
 * thread, processor time; accountants of other libraries beside it, where Python has them. There is
 * no floor: what a bound takes at least is not known.
 */

#include "dpdl/base/quantity.h"
#include "dpdl/privacy/certified-curve.h"
#include "dpdl/privacy/pld.h"
#include "dpdl/privacy/rdp.h"
#include "harness/python-peers.h"
#include "harness/run-bench.h"

#include <cmath>

namespace
{

using namespace dpdl;

constexpr double DELTA = 1e-5;
constexpr int STEPS = 1000;
constexpr int VERY_MANY = 100000;
/// A long run with noise of a node's own in every round, or the same in all.
constexpr std::size_t NODES = 20;
constexpr Round ROUNDS = 3500;

/// A noise multiplier from 1 up, different for every step.
double
Mu(int step)
{
    return 1.0 / (1.0 + 0.001 * step);
}

/// A bound that is computed again and again.
struct Setting
{
    std::string name;              ///< as bench/peers/accounting_peers.py has it
    std::string what;              ///< for the table
    bool isSlow;                   ///< other libraries take minutes
    std::function<double()> bound; ///< epsilon
};

double
RdpThousandNoiseLevels()
{
    RdpComposition composition;
    for (int k = 0; k < STEPS; ++k)
    {
        composition.Add(0.01, Mu(k));
    }
    return composition.Optimise(DELTA).epsilon;
}

PldComposition
OneStepOften()
{
    PldComposition composition;
    composition.Add(0.01, 0.25, 10000);
    return composition;
}

PldComposition
ThousandNoiseLevels()
{
    PldComposition composition;
    for (int k = 0; k < STEPS; ++k)
    {
        composition.Add(0.01, Mu(k));
    }
    return composition;
}

/// Nothing can be interpolated: every step has its own rate.
PldComposition
ThousandRatesAndNoiseLevels()
{
    PldComposition composition;
    for (int k = 0; k < STEPS; ++k)
    {
        composition.Add(0.005 + 1e-5 * k, Mu(k * 7919 % STEPS));
    }
    return composition;
}

/// Noise and rate of the steps of a very long schedule, all different.
std::pair<double, double>
LongStep(int k, bool oneRate)
{
    const double noise = 5.0 + 45.0 * k / VERY_MANY;
    const int other = static_cast<int>(std::int64_t{k} * 7919 % VERY_MANY);
    return {oneRate ? 0.005 : 0.001 + 0.009 * other / VERY_MANY, 1.0 / noise};
}

template <typename Composition>
Composition
VeryManySteps(bool oneRate)
{
    Composition composition;
    for (int k = 0; k < VERY_MANY; ++k)
    {
        const auto [rate, mu] = LongStep(k, oneRate);
        composition.Add(rate, mu);
    }
    return composition;
}

/// Dyn-D2P with claim 1: mu grows by a factor over 3500 steps.
PldComposition
DynD2p(double factor, double first)
{
    PldComposition composition;
    for (int k = 0; k < 3500; ++k)
    {
        composition.Add(1.0 / 2500, first * std::pow(factor, k / 3500.0));
    }
    return composition;
}

Setting
PldSetting(const std::string& name,
           const std::string& what,
           bool isSlow,
           const PldComposition& composition,
           double delta = DELTA)
{
    return {name, what, isSlow, [composition, delta]() {
                return composition.Bound(delta).epsilon;
            }};
}

std::vector<Setting>
MakeSettings()
{
    return {
        {"rdp-noises", "rdp, 1000 different noises", false, RdpThousandNoiseLevels},
        PldSetting("pld-one", "pld, one step 10,000 times", false, OneStepOften()),
        PldSetting("pld-noises", "pld, 1000 different noises", true, ThousandNoiseLevels()),
        PldSetting("pld-rates",
                   "pld, 1000 different noises and rates",
                   true,
                   ThousandRatesAndNoiseLevels()),
        {"",
         "rdp, 100,000 different noises",
         true,
         []() { return VeryManySteps<RdpComposition>(true).Optimise(DELTA).epsilon; }},
        {"",
         "rdp, 100,000 different noises and rates",
         true,
         []() { return VeryManySteps<RdpComposition>(false).Optimise(DELTA).epsilon; }},
        {"",
         "pld, 100,000 different noises",
         true,
         []() { return VeryManySteps<PldComposition>(true).Bound(DELTA).epsilon; }},
        {"",
         "pld, 100,000 different noises and rates",
         true,
         []() { return VeryManySteps<PldComposition>(false).Bound(DELTA).epsilon; }},
        PldSetting("",
                   "pld, Dyn-D2P's 3500 rounds, rho_mu = 2",
                   false,
                   DynD2p(2.0, 1.353113824654987),
                   1e-4),
        PldSetting("",
                   "pld, Dyn-D2P's 3500 rounds, rho_mu = 10",
                   false,
                   DynD2p(10.0, 0.295356588511620),
                   1e-4),
    };
}

void
MeasureSetting(const BenchRequest& request,
               const PythonPeers& python,
               const Setting& setting,
               BenchReport& report)
{
    double epsilon = 0.0;
    InterleavedBenchmark benchmark(request.Rules(4.0));
    benchmark.Add([&]() { epsilon = setting.bound(); });
    benchmark.Run();
    std::vector<PeerResult> peers;
    if (!setting.name.empty() && (!setting.isSlow || request.large))
    {
        peers = python.Run("accounting_peers.py", {"--setting=" + setting.name});
        benchmark.Run();
    }
    BenchRow& row = report.AddRow(setting.what + ": epsilon " + ShowRounded(epsilon, 7),
                                  Milliseconds(),
                                  benchmark.Seconds(0));
    for (const PeerResult& peer : peers)
    {
        if (peer.trouble.empty())
        {
            row.AddPeer(peer.name + ": epsilon " + peer.value, peer.seconds);
        }
        else
        {
            report.AddNote(setting.what + ", " + peer.name + ": " + peer.trouble);
        }
    }
}

/// Every row of the view `guarantee_by_round` of a run.
class CurveWork
{
  public:
    CurveWork(const std::string& accountant, double growth)
        : m_guarantees(
              std::make_shared<AccountantCache>(Accountants().Get(accountant),
                                                AccountingQuery{DELTA, Adjacency::ADD_REMOVE})),
          m_growth(growth)
    {
        // As a run does before it starts.
        std::vector<Release> plan;
        for (Round round = 0; round < ROUNDS; ++round)
        {
            plan.push_back(ReleaseOf(0, round));
        }
        m_guarantees->Of(plan);
    }

    void Run()
    {
        PrivacyLedger ledger(NODES);
        for (Round round = 0; round < ROUNDS; ++round)
        {
            for (NodeId node = 0; node < NODES; ++node)
            {
                ledger.Append(ReleaseOf(node, round));
            }
        }
        m_epsilon = CertifiedCurve(ledger, *m_guarantees, ROUNDS).back();
    }

  private:
    Release ReleaseOf(NodeId node, Round round) const
    {
        const double mu = 0.7 * std::pow(m_growth, static_cast<double>(round) / ROUNDS);
        return {node, round, "gaussian", "poisson", 0.0213, mu, 1.0};
    }

    std::shared_ptr<AccountantCache> m_guarantees; ///< knows the whole plan
    double m_growth;                               ///< of mu over all rounds
    volatile double m_epsilon{0};                  ///< last one; keeps the calls from being removed
};

void
MeasureCurve(const BenchRequest& request,
             BenchReport& report,
             const std::string& accountant,
             double growth)
{
    CurveWork work(accountant, growth);
    InterleavedBenchmark benchmark(request.Rules(4.0));
    benchmark.Add([&work]() { work.Run(); });
    benchmark.Run();
    report.AddRow(accountant + ", the curve of 20 nodes and 3500 rounds, " +
                      (growth == 1.0 ? "equal noise" : "another noise in each"),
                  Milliseconds(),
                  benchmark.Seconds(0));
}

void
Measure(const BenchRequest& request, BenchReport& report)
{
    const PythonPeers python(request.quick && request.python.empty() ? "off" : request.python);
    for (const Setting& setting : MakeSettings())
    {
        if (!request.quick || !setting.isSlow)
        {
            MeasureSetting(request, python, setting, report);
        }
    }
    for (const char* accountant : {"pld", "rdp"})
    {
        MeasureCurve(request, report, accountant, 1.0);
        if (!request.quick)
        {
            MeasureCurve(request, report, accountant, 3.0);
        }
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return RunBench({"accounting",
                     "What bounds on privacy take, against accountants of other libraries; --large "
                     "also has those that take minutes.",
                     {"python", "large"},
                     Measure},
                    {argv + 1, argv + argc});
}
