// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../experiment/experiment-fixture.h"
#include "attacks.h"
#include "dpdl/audit/one-run.h"
#include "dpdl/experiment/recorded-run.h"
#include "faint-step.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

constexpr std::uint32_t SEEDS = 20;
constexpr double ALPHA = 0.05; // of a bound
constexpr double DELTA = 1e-5;

/// An algorithm, and how much of its noise a step has to hide for the audit to see it.
struct Audited
{
    std::string name;
    std::string hyper;
    double loudness;          ///< of the mutant's noise
    std::string batchModel{}; ///< of algorithms that clip the batch as a whole; empty: others
};

std::ostream&
operator<<(std::ostream& out, const Audited& audited)
{
    return out << audited.name;
}

/**
 * Each audit is one run of all nodes, in which coins decide which canaries are lit. Batches are
 * full, so that nothing but the noise hides a canary. The canaries of all seeds together, with
 * coins and noise, make one audit of a mechanism with the same guarantee.
 */
class OneRunAudit : public TraceTest, public testing::WithParamInterface<Audited>
{
  protected:
    static bool IsBatch()
    {
        return !GetParam().batchModel.empty();
    }

    static std::size_t Nodes()
    {
        return IsBatch() ? 12 : 8;
    }

    RunOptions Settings(const std::string& algorithm, std::uint32_t seed) const
    {
        const bool isBatch = IsBatch();
        RunOptions settings;
        settings.algorithm = algorithm;
        settings.hyper = GetParam().hyper;
        settings.dataset = "mnist";
        settings.dataDir = (m_folder / "images").string();
        settings.partition = "contiguous";
        settings.model = isBatch ? GetParam().batchModel : "softmax-regression";
        settings.init = isBatch ? settings.init : "zero";
        settings.nodes = Nodes();
        settings.rounds = 2;
        settings.sampler = "full";
        settings.stepSize = 1e-3;
        settings.clip = isBatch ? 0.05 : 1.0;
        settings.epsilon = NodeEpsilons(2.5);
        settings.delta = DELTA;
        settings.network = NetworkKind::IDEAL;
        settings.evaluateEvery = 0;
        settings.snapshotEvery = 1;
        settings.workers = 1;
        settings.seed.run = seed;
        settings.trace = m_path;
        settings.overwrite = true;
        return settings;
    }

    void Run(const RunOptions& settings, const std::function<void(const NodeJob&)>& hear)
    {
        Experiment experiment(settings, {});
        experiment.Recorder().SetStepCallback([&hear](const NodeJob& job) {
            if (job.update.enabled)
            {
                hear(job);
            }
        });
        LockstepRun(experiment);
    }

    std::vector<bool> Coins(std::size_t count, std::uint32_t seed) const
    {
        const RandomStream random({seed, 7}, RandomPurpose::AUDIT, 0, 0);
        std::vector<bool> coins(count);
        for (std::size_t i = 0; i < count; ++i)
        {
            coins[i] = random.Uniform(i) < 0.5;
        }
        return coins;
    }

    ScoreSample Sorted(const std::vector<double>& scores, const std::vector<bool>& isIn) const
    {
        ScoreSample sample;
        for (std::size_t i = 0; i < scores.size(); ++i)
        {
            (isIn[i] ? sample.with : sample.without).push_back(scores[i]);
        }
        return sample;
    }

    ScoreSample AttackPatches(const std::string& algorithm, std::uint32_t seed)
    {
        const std::vector<bool> isIn = Coins(Nodes() * PatchAttack::LOCAL, seed);
        PatchAttack::Make(isIn).Write(m_folder / "images");
        PatchAttack attack(Nodes());
        Run(Settings(algorithm, seed), [&attack](const NodeJob& job) { attack.Hear(job); });
        return Sorted(attack.Scores(), isIn);
    }

    ScoreSample AttackPlaces(const std::string& algorithm, std::uint32_t seed)
    {
        RunOptions settings = Settings(algorithm, seed);
        const bool isLaplace = MakeAlgorithm(GetParam().name).noiseSource == "laplace";
        const std::size_t lit = isLaplace ? 1 : PIXELS;
        PlaceAttack attack(Nodes(), isLaplace);
        settings.noise = false;
        for (const bool all : {false, true})
        {
            PlaceAttack::Make(std::vector<bool>(Nodes(), all), lit).Write(m_folder / "images");
            Run(settings, [&attack, all](const NodeJob& job) { attack.Learn(job, all); });
        }
        settings.noise = true;
        const std::vector<bool> isIn = Coins(Nodes(), seed);
        PlaceAttack::Make(isIn, lit).Write(m_folder / "images");
        Run(settings, [&attack](const NodeJob& job) { attack.Hear(job); });
        return Sorted(attack.Scores(), isIn);
    }

    ScoreSample Attack(const std::string& algorithm, std::uint32_t seed)
    {
        return IsBatch() ? AttackPlaces(algorithm, seed) : AttackPatches(algorithm, seed);
    }

    /// The largest certified epsilon of the last run.
    double Certified() const
    {
        const RecordedRun run(m_path);
        double largest = 0.0;
        for (const GuaranteeByNode& guarantee : run.Guarantees())
        {
            largest = std::max(largest, guarantee.certified);
        }
        return largest;
    }

    /// What scores show; how many guesses there are is fixed beforehand.
    double Observed(const ScoreSample& scores) const
    {
        const std::size_t canaries = scores.with.size() + scores.without.size();
        const std::size_t guesses = IsBatch() ? canaries / 2 : canaries / 70;
        return OneRunEpsilon(CountGuesses(scores, guesses, guesses), DELTA, ALPHA);
    }

    static void Append(ScoreSample& all, const ScoreSample& more)
    {
        all.with.insert(all.with.end(), more.with.begin(), more.with.end());
        all.without.insert(all.without.end(), more.without.begin(), more.without.end());
    }
};

TEST_P(OneRunAudit, NeverShowsMoreThanIsCertified)
{
    ScoreSample all;
    for (std::uint32_t seed = 1; seed <= SEEDS; ++seed)
    {
        const ScoreSample scores = Attack(GetParam().name, seed);
        EXPECT_LE(Observed(scores), Certified()) << "seed " << seed;
        Append(all, scores);
    }
    EXPECT_NEAR(Certified(), 2.5, 0.05);
    EXPECT_LE(Observed(all), Certified());
    RecordProperty("observed", std::to_string(Observed(all)));
}

TEST_P(OneRunAudit, ShowsMoreOfAStepThatHidesHowFaintItsNoiseIs)
{
    const std::string faint = RegisterFaint(GetParam().name, GetParam().loudness);
    ScoreSample all;
    for (std::uint32_t seed = 1; seed <= SEEDS; ++seed)
    {
        Append(all, Attack(faint, seed));
    }
    EXPECT_NEAR(Certified(), 2.5, 0.05); // the record and the plan agree
    EXPECT_GT(Observed(all), Certified());
    RecordProperty("observed", std::to_string(Observed(all)));
}

/// The tests of two algorithms are run by default, those of all others in the slow tier.
const Audited QUICK[] = {
    {"dyn-d2p", "", 0.5},
    {"ppsgd", "", 1.0 / 16.0, "mlp"},
};

// Settings without fused gradients and momentum: the attacker need not undo them.
const Audited OTHERS[] = {
    {"dyn-c-d2p", "", 0.5},
    {"dyn-mu-d2p", "", 0.5},
    {"const-d2p", "", 0.5},
    {"dyn-d2p-general", "", 0.5},
    {"isolated", "", 0.5},
    {"central", "", 0.125},
    {"dp-fedavg", "iterations=2", 0.5},
    {"muffliato", "phase=2", 0.25},
    {"clip-d2p", "", 0.5},
    {"adp-vrsgp", "pgf=0", 0.5},
    {"a-dp2-sgd", "", 0.5},
    {"mapa", "", 0.5},
    {"dfedsam", "iterations=2", 0.5},
    {"fed-cdp", "iterations=2", 0.25},
    {"fed-an", "", 0.5},
    {"momentum-d2p", "momentum=0", 0.5},
    // What the attacker hears of one node has more noise than what is certified against all.
    {"decor", "", 0.25},
    {"corn", "", 0.25},
    {"lambda-cgd", "", 0.25},
    {"bandmf", "bands=1", 0.5},
    {"mafalda", "bands=1", 0.5},
    {"dp-csgp", "", 0.5},
    {"epidemic", "", 0.5},
    {"divshare", "", 0.5},
    {"ad-psgd", "", 0.5},
    {"r-fast", "", 0.25},
    {"porter", "", 0.125},
    {"fed-dpa", "", 1.0 / 16.0, "mlp"},
    {"dpps", "", 1.0 / 64.0, "softmax-regression"},
    {"sgpdp", "", 1.0 / 64.0, "softmax-regression"},
    {"pedfl", "", 1.0 / 64.0, "softmax-regression"},
    {"partpsp-1", "", 1.0 / 64.0, "mlp"},
    {"partpsp-2", "", 1.0 / 512.0, "mlp"},
};

std::string
NameOf(const testing::TestParamInfo<Audited>& info)
{
    std::string name = info.param.name;
    name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
    return name;
}

INSTANTIATE_TEST_SUITE_P(Quick, OneRunAudit, testing::ValuesIn(QUICK), NameOf);
INSTANTIATE_TEST_SUITE_P(Others, OneRunAudit, testing::ValuesIn(OTHERS), NameOf);

TEST(OneRunAuditTable, HasEveryAlgorithmThatIsCertified)
{
    std::set<std::string> audited;
    for (const Audited& one : QUICK)
    {
        audited.insert(one.name);
    }
    for (const Audited& one : OTHERS)
    {
        audited.insert(one.name);
    }
    for (const std::string& name : Algorithms().Names())
    {
        const AlgorithmPreset preset = MakeAlgorithm(name);
        const bool isCertified =
            preset.isPrivate && !HasFlag(preset.flags,
                                         ReleaseFlag::DATA_DEPENDENT_SCALE | ReleaseFlag::NO_CLIP |
                                             ReleaseFlag::UNPROVEN_STEP);
        EXPECT_EQ(audited.count(name), isCertified ? 1U : 0U) << name;
    }
}

} // namespace
} // namespace dpdl
