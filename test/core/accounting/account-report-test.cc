// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/accounting/account-answer.h"
#include "dpdl/algorithm/algorithms.h"
#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/algorithm/planned-claim.h"
#include "dpdl/privacy/gdp.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <set>
#include <sstream>

namespace dpdl
{
namespace
{

AccountAnswer
Answer(const std::string& line)
{
    std::istringstream words(line);
    return ComputeAccount(ParseAccountArguments({std::istream_iterator<std::string>(words), {}}));
}

bool
Contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

/// The words of a table's lines that begin with a name.
std::vector<std::string>
LineOf(const std::string& table, const std::string& name)
{
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);)
    {
        std::istringstream words(line);
        const std::vector<std::string> found(std::istream_iterator<std::string>(words), {});
        if (!found.empty() && found.front() == name)
        {
            return found;
        }
    }
    ADD_FAILURE() << "no line " << name << " in\n" << table;
    return {};
}

TEST(AccountReport, JsonHasTheKeysThatArePromised)
{
    const AccountAnswer answer = Answer("--noise=2 --sampler=none --steps=1 --delta=1e-5");
    const std::string json = AccountAsJson(answer);
    EXPECT_NEAR(answer.guarantee.epsilon, 1.993091403997, 1e-9);
    EXPECT_EQ(json.rfind("{\"epsilon\": 1.99309140", 0), 0U) << json;
    EXPECT_TRUE(Contains(json,
                         "\"delta\": 1e-05, \"accountant\": \"pld\", "
                         "\"certified\": true, \"lower\": "));
    EXPECT_TRUE(Contains(json, "\"adjacency\": \"add-remove\", \"sampler\": \"none\", "));
    EXPECT_FALSE(Contains(json, "\"noise\""));
    EXPECT_FALSE(Contains(json, "\"claimed\""));
    EXPECT_EQ(json.back(), '\n');
}

TEST(AccountReport, InfinityIsAWordAndCertifiesNothing)
{
    const AccountAnswer answer =
        Answer("--noise=1 --rate=0.01 --steps=10 --delta=1e-5 --accountant=gdp");
    EXPECT_FALSE(answer.certified);
    EXPECT_TRUE(Contains(AccountAsJson(answer), "{\"epsilon\": \"inf\", "));
    EXPECT_TRUE(Contains(AccountAsJson(answer), "\"certified\": false"));
    EXPECT_TRUE(Contains(AccountAsJson(answer), "\"warnings\": [\"epsilon is infinite: "));
    EXPECT_EQ(LineOf(AccountAsTable(answer), "epsilon").at(1), "inf");
    EXPECT_TRUE(Contains(AccountAsTable(answer), "no guarantee: the accountant 'gdp' accepts"));
}

TEST(AccountReport, ValuesAreNotCalledCertified)
{
    const AccountAnswer clt =
        Answer("--noise=5 --rate=0.01 --steps=1000000000 --delta=1e-5 --accountant=clt");
    EXPECT_FALSE(clt.certified);
    EXPECT_TRUE(std::isfinite(clt.guarantee.epsilon));
    EXPECT_TRUE(Contains(AccountAsTable(clt), "not certified"));
    const AccountAnswer half =
        Answer("--noise=1 --sampler=none --steps=10 --delta=1e-5 --remove-only");
    EXPECT_FALSE(half.certified);
    EXPECT_TRUE(std::isfinite(half.guarantee.epsilon));
    EXPECT_TRUE(Contains(AccountAsJson(half), "one direction alone is no guarantee"));
}

TEST(AccountReport, AFileIsTheSumOfItsRows)
{
    const std::string path = testing::TempDir() + "dpdl-account-test.csv";
    std::ofstream(path) << "noise,rate,steps\n2,1,9\n4,1,28\n";
    const AccountAnswer answer = Answer("--schedule=" + path + " --sampler=none --delta=1e-6");
    EXPECT_NEAR(answer.guarantee.epsilon, GdpEpsilon(2.0, 1e-6), 1e-6);
    const AccountAnswer sampled = Answer("--schedule=" + path + " --sampler=shuffle --delta=1e-6");
    EXPECT_NEAR(sampled.guarantee.epsilon, GdpEpsilon(4.0, 1e-6), 1e-6);
    std::ofstream(path) << "noise,rate,steps\n2,1,9\n4,0.5,28\n";
    EXPECT_THROW(Answer("--schedule=" + path + " --sampler=none --delta=1e-6"), UsageError);
    std::remove(path.c_str());
    EXPECT_THROW(Answer("--schedule=" + path + " --delta=1e-6"), UsageError);
}

TEST(AccountReport, CalibrationMeetsItsTarget)
{
    for (const char* line : {"--rate=0.02 --steps=500 --delta=1e-5 --accountant=rdp",
                             "--sampler=none --steps=16 --delta=1e-6 --accountant=gdp",
                             "--rate=0.1 --steps=20 --delta=1e-5 --sampler=shuffle",
                             "--sampler=none --steps=3 --delta=1e-5 --adjacency=replace",
                             "--rate=0.01 --steps=1000 --delta=1e-5"})
    {
        for (const double epsilon : {0.1, 1.0, 20.0})
        {
            const AccountAnswer answer =
                Answer("--calibrate --epsilon=" + std::to_string(epsilon) + " " + line);
            ASSERT_TRUE(answer.noise.has_value());
            EXPECT_LE(answer.guarantee.epsilon, epsilon) << line;
            EXPECT_GE(answer.guarantee.epsilon, epsilon * (1.0 - 1e-6)) << line;
            EXPECT_TRUE(Contains(AccountAsJson(answer), ", \"noise\": "));
            char noise[40];
            std::snprintf(noise, sizeof(noise), " --noise=%.17g", *answer.noise);
            EXPECT_EQ(Answer(std::string(line) + noise).guarantee.epsilon, answer.guarantee.epsilon)
                << "what is printed gives what was confirmed";
        }
    }
    EXPECT_THROW(Answer("--calibrate --epsilon=1 --rate=0.5 --steps=3 --delta=1e-5 "
                        "--accountant=gdp"),
                 UsageError);
}

/// What the plan of a run certifies of a node with 500 examples.
double
PlannedEpsilon(const std::string& name, Mode mode)
{
    LearningPlanSettings plan;
    plan.algorithm = MakeAlgorithm(name);
    plan.mode = mode;
    plan.rounds = 12;
    plan.epsilon = 2.0;
    plan.delta = 1e-5;
    plan.accountant = "rdp";
    plan.parameters = 10;
    plan.shared = plan.algorithm.sharedLayers > 0 ? 4 : 10;
    plan.ownPart = plan.shared < 10 && !plan.algorithm.step->ProtectsOwnPart();
    const std::size_t parts = plan.algorithm.sampledParts;
    plan.sampler = parts > 1 ? MakeCyclicSampler(parts, 20, {}) : MakeSampler("poisson", 20, {});
    static_cast<NodeTerms&>(
        plan) = {500, plan.sampler->ExpectedSize(500), plan.sampler->Rate(500), 2.0};
    if (!plan.algorithm.noiseSource.empty())
    {
        plan.noiseSource = MakeNoiseSource(plan.algorithm.noiseSource, {});
    }
    const LearningPlan made(plan);
    return made.Guarantees()->Of(made.Releases(0)).epsilon;
}

TEST(AccountReport, EveryAlgorithmIsCertifiedWhatItsRunIs)
{
    const std::set<std::string> ofTopology{"mafalda", "decor", "corn"};
    std::size_t finite = 0;
    for (const PartInfo& info : Algorithms().List())
    {
        for (const std::string mode : {"sound", "paper"})
        {
            const bool hasBatch = !ClaimParameters(info.name).empty();
            const std::string line = "--algorithm=" + info.name + " --mode=" + mode +
                                     (hasBatch ? " --batchSize=20" : "") +
                                     " --localSamples=500 --rounds=12 --epsilon=2 --delta=1e-5 "
                                     "--accountant=rdp";
            if (ofTopology.count(info.name) != 0)
            {
                EXPECT_THROW(Answer(line), UsageError) << info.name;
                continue;
            }
            const AccountAnswer answer = Answer(line);
            const double planned =
                PlannedEpsilon(info.name, mode == "sound" ? Mode::SOUND : Mode::PAPER);
            const double said = answer.certified ? answer.guarantee.epsilon : INFINITY;
            EXPECT_EQ(std::isfinite(said), std::isfinite(planned)) << line;
            if (std::isfinite(planned))
            {
                ++finite;
                EXPECT_NEAR(said, planned, 1e-3 * planned) << line;
            }
        }
    }
    EXPECT_GT(finite, 40U);
}

TEST(AccountReport, NoAlgorithmIsCertifiedWithoutProof)
{
    for (const char* name : {"dyn-d2p", "clip-d2p", "ada-d2p", "adp-vrsgp", "dpps", "sgp"})
    {
        const std::string target = ClaimParameters(name).empty() ? "" : " --epsilon=2";
        const AccountAnswer answer = Answer("--algorithm=" + std::string(name) + target +
                                            " --localSamples=500 --rounds=5 --delta=1e-5 "
                                            "--mode=paper --accountant=rdp");
        const std::string json = AccountAsJson(answer);
        EXPECT_EQ(answer.certified, answer.claim->unsupported.empty()) << name;
        EXPECT_EQ(Contains(json, "\"certified_epsilon\": \"inf\", \"reason\": \""),
                  !answer.claim->unsupported.empty())
            << name;
        EXPECT_EQ(Contains(json, "nan"), false) << json;
        std::istringstream lines(AccountAsTable(answer));
        for (std::string line; std::getline(lines, line);)
        {
            std::istringstream words(line);
            std::string key;
            std::string value;
            std::string meaning;
            words >> key >> value >> meaning;
            EXPECT_FALSE(meaning.empty()) << name << ": " << line;
        }
    }
    const AccountAnswer clt = Answer("--algorithm=const-d2p --localSamples=2500 --rounds=35 "
                                     "--epsilon=1 --delta=1e-4 --mode=paper --accountant=clt");
    EXPECT_TRUE(Contains(AccountAsJson(clt),
                         "\"certified_epsilon\": \"inf\", \"reason\": \"the accountant 'clt'"));
}

} // namespace
} // namespace dpdl
