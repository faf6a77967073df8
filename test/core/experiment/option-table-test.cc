// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../mistakes.h"
#include "../pieces.h"
#include "dpdl/base/errors.h"
#include "dpdl/experiment/option-table.h"

#include <set>

namespace dpdl
{
namespace
{

const OptionRow<RunOptions>&
Find(const std::string& name)
{
    const OptionRow<RunOptions>* const option = LearningOptions().Find(name);
    EXPECT_NE(option, nullptr) << name;
    return *option;
}

/// Names and values of assignments between blanks.
std::vector<std::pair<std::string, std::string>>
Assignments(const std::string& text)
{
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const std::string& piece : Pieces(text))
    {
        const std::size_t equals = piece.find('=');
        pairs.emplace_back(piece.substr(0, equals), piece.substr(equals + 1));
    }
    return pairs;
}

/// What the table shows for every option.
std::vector<std::string>
ShownValues(const RunOptions& settings)
{
    std::vector<std::string> values;
    for (const OptionRow<RunOptions>& option : LearningOptions().Options())
    {
        values.push_back(option.name + "=" + option.show(settings));
    }
    return values;
}

std::string
ErrorOf(const std::string& name, const std::string& value)
{
    RunOptions settings;
    const std::vector<std::string> before = ShownValues(settings);
    try
    {
        SetOption(settings, name, value);
    }
    catch (const UsageError& error)
    {
        EXPECT_EQ(ShownValues(settings), before) << name << " changed the settings nevertheless";
        return error.what();
    }
    return "accepted";
}

TEST(OptionTable, HoldsEveryOptionOnceWithWhatItMeansAndAccepts)
{
    std::set<std::string> names;
    for (const OptionRow<RunOptions>& option : LearningOptions().Options())
    {
        EXPECT_TRUE(names.insert(option.name).second) << option.name;
        EXPECT_FALSE(option.meaning.empty()) << option.name;
        EXPECT_FALSE(option.accepted.empty()) << option.name;
        EXPECT_EQ(option.isFlag, option.name == "overwrite" || option.name == "independentNoise")
            << option.name;
    }
}

TEST(OptionTable, DefaultsAreThoseOfTheInterface)
{
    for (const auto& [name, value] : Assignments(
             "algorithm=dyn-d2p mode=sound model=cnn-s dataset=fashion-mnist samples=all "
             "features=raw partition=even nodes=20 rounds=200 batchSize=64 sampler=poisson "
             "init=default epsilon=1 noise=on noiseSource=philox accountant=pld "
             "adjacency=add-remove unit=example stopAt=none topology=exponential network=message "
             "transport=udp dataRate=10Mbps delay=5ms drop=0 lossPolicy=none chunk=none "
             "stepScale=auto schedule=synchronous deadline=auto device=auto engine=auto "
             "payload=handle traceLevel=full evaluateEvery=10 snapshotEvery=0 progress=auto"))
    {
        EXPECT_EQ(Find(name).defaultValue, value) << name;
    }
    EXPECT_EQ(std::stod(Find("delta").defaultValue), 1e-4);
}

TEST(OptionTable, EveryDefaultReadsBackToTheSameSettings)
{
    const std::set<std::string> namesOfAbsence{"dataDir", "stepSize", "clip", "trace"};
    const RunOptions defaults;
    for (const OptionRow<RunOptions>& option : LearningOptions().Options())
    {
        if (namesOfAbsence.count(option.name) > 0)
        {
            continue;
        }
        for (const std::string& text : {option.defaultValue, option.show(defaults)})
        {
            RunOptions settings;
            ASSERT_NO_THROW(SetOption(settings, option.name, text)) << option.name << "=" << text;
            EXPECT_EQ(ShownValues(settings), ShownValues(defaults)) << option.name;
        }
    }
}

TEST(OptionTable, FormerNamesWorkWithAWarning)
{
    RunOptions settings;
    testing::internal::CaptureStderr();
    SetOption(settings, "share", "2");
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "warning: option 'share' is now called 'sharedLayers'; the old name works for one "
              "version\n");
    EXPECT_EQ(settings.sharedLayers, 2U);
}

TEST(OptionTable, WhatIsShownReadsBack)
{
    for (const auto& [name, value] : Assignments(
             "algorithm=sgp mode=paper samples=200 nodes=7 stepSize=0.1 init=zero "
             "epsilon=0.30000000000000004 delta=1e-05 clip=2.5 noise=off accountant=rdp "
             "adjacency=replace unit=node stopAt=0.5 network=ideal dataRate=250kbps delay=1.5min "
             "drop=0.02 lossPolicy=running-sum stepScale=by-weight deadline=200ms deadline=none "
             "compute=fixed:3us schedule=asynchronous staleness=3 workers=2 seed=4294944442 "
             "trace=x.db overwrite= traceLevel=summary qWindow=12 checkpoint=none checkpoint=20 "
             "checkpoint=90s progress=none"))
    {
        RunOptions settings;
        SetOption(settings, name, value);
        const std::string shown = Find(name).show(settings);
        EXPECT_NE(shown, Find(name).show(RunOptions{})) << name;
        RunOptions again;
        SetOption(again, name, shown);
        EXPECT_EQ(Find(name).show(again), shown) << name;
        EXPECT_EQ(ShownValues(again), ShownValues(settings)) << name;
    }
}

TEST(OptionTable, UnitsAreUnderstood)
{
    RunOptions settings;
    SetOption(settings, "dataRate", "2.5Gbps");
    SetOption(settings, "delay", "7us");
    SetOption(settings, "compute", "fixed:1.5s");
    SetOption(settings, "deadline", "200ms");
    EXPECT_DOUBLE_EQ(*settings.dataRate, 2.5e9);
    EXPECT_DOUBLE_EQ(*settings.delay, 7e-6);
    EXPECT_DOUBLE_EQ(settings.compute->seconds, 1.5);
    EXPECT_DOUBLE_EQ(settings.deadline.seconds, 0.2);
    SetOption(settings, "dataRate", "1MB/s");
    EXPECT_DOUBLE_EQ(*settings.dataRate, 8e6);
}

TEST(OptionTable, BadValuesAreAnsweredWithOptionValueAndWhatWouldDo)
{
    for (const auto& [text, accepted] : MistakesOf("option"))
    {
        const auto [name, value] = Assignments(text).front();
        const std::string error = ErrorOf(name, value);
        EXPECT_EQ(error.find("option '" + name + "': '" + value + "'"), 0u) << error;
        EXPECT_NE(error.find("expected"), std::string::npos) << error;
        EXPECT_NE(error.find(accepted), std::string::npos) << error;
    }
}

TEST(OptionTable, BadTimesOfALocalStepAreNamed)
{
    EXPECT_EQ(ErrorOf("compute", "fixed:ten").find("option 'compute': 'ten' is not accepted"), 0u);
    EXPECT_EQ(ErrorOf("compute", "fixed:-1s").find("option 'compute': '-1s' is not accepted"), 0u);
    EXPECT_NE(ErrorOf("compute", "profile:pi3").find("did you mean 'pi4'?"), std::string::npos);
    EXPECT_NE(ErrorOf("compute", "measured:heterogeneous=0.5").find("a factor >= 1"),
              std::string::npos);
}

TEST(OptionTable, DevicesAreKnownByTheirNames)
{
    RunOptions settings;
    SetOption(settings, "device", "cuda");
    EXPECT_EQ(settings.device, "cuda");
    EXPECT_NE(ErrorOf("device", "gpu").find("auto, cpu, cuda"), std::string::npos);
}

TEST(OptionTable, SentencesOfFailuresAddUp)
{
    RunOptions settings;
    SetOption(settings, "fail", "node 5 crash at 20s");
    SetOption(settings, "fail", "link 0->1 down");
    SetOption(settings, "failures", "a.txt");
    SetOption(settings, "failures", "b.txt");
    EXPECT_EQ(settings.fail, (std::vector<std::string>{"node 5 crash at 20s", "link 0->1 down"}));
    EXPECT_EQ(settings.failures, std::vector<std::string>{"b.txt"});
    EXPECT_EQ(LearningOptions().Find("fail")->show(settings),
              "node 5 crash at 20s; link 0->1 down");
}

TEST(OptionTable, UnknownOptionsOfferTheNearest)
{
    EXPECT_EQ(ErrorOf("round", "5"), "option 'round' is unknown; did you mean 'rounds'?");
    EXPECT_EQ(ErrorOf("lr", "0.1"), "option 'lr' is unknown; did you mean 'stepSize'?");
    EXPECT_EQ(ErrorOf("packet-loss", "0.1"),
              "option 'packet-loss' is unknown; did you mean 'drop'?");
    EXPECT_EQ(ErrorOf("xyzzyxyzzy", "5"),
              "option 'xyzzyxyzzy' is unknown; --help lists the options");
}

} // namespace
} // namespace dpdl
