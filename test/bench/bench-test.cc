// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "bench-report.h"
#include "gemm.h"
#include "interleaved-benchmark.h"
#include "node-work.h"
#include "plain-torch.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

TEST(Measurement, HasQuantilesOfItsValues)
{
    const Measurement values({4.0, 1.0, 3.0, 2.0, 5.0});
    EXPECT_EQ(values.Median(), 3.0);
    EXPECT_EQ(values.Minimum(), 1.0);
    EXPECT_EQ(values.Quantile(0.25), 2.0);
    EXPECT_EQ(values.Quantile(0.125), 1.5);
    EXPECT_TRUE(std::isnan(Measurement().Median()));
}

TEST(Measurement, PairsRepetitions)
{
    const Measurement four({2.0, 4.0, 6.0, 8.0});
    const Measurement two({1.0, 2.0});
    EXPECT_EQ(Ratios(four, two).Values(), (std::vector<double>{2.0, 4.0, 3.0, 4.0}));
    EXPECT_EQ(Sum(two, two, 0.5).Values(), (std::vector<double>{1.5, 3.0}));
    EXPECT_TRUE(Ratios(four, Measurement()).Values().empty());
}

TEST(InterleavedBenchmark, TimesInTurn)
{
    InterleavedBenchmark benchmark({4, 0.0, 100.0, TimeOf::PROCESSOR});
    std::string order;
    benchmark.AddTimed([&order]() {
        order += 'a';
        return 2.0;
    });
    benchmark.AddTimed([&order]() {
        order += 'b';
        return 3.0;
    });
    benchmark.Run();
    EXPECT_EQ(order.substr(order.size() - 8), "abababab");
    EXPECT_EQ(benchmark.Seconds(0).Values(), std::vector<double>(4, 2.0));
    EXPECT_EQ(benchmark.Seconds(1).Values(), std::vector<double>(4, 3.0));
    benchmark.Run();
    EXPECT_EQ(benchmark.Seconds(1).Values().size(), 8U);
}

TEST(BenchReport, ComparesByWhatTheRatioSays)
{
    BenchReport report;
    BenchRow& row = report.AddRow("step", Milliseconds(), Measurement({0.002, 0.002, 0.003}));
    row.AddFloor("floor", Measurement({0.001, 0.001, 0.001}), 2.0);
    row.AddPeer("peer", Measurement({0.008, 0.008, 0.008}), 5.0);
    EXPECT_EQ(row.comparisons[0].ratio.Median(), 2.0);
    EXPECT_TRUE(row.comparisons[0].goal->MetBy(2.0));
    EXPECT_EQ(row.comparisons[1].ratio.Median(), 4.0);
    EXPECT_FALSE(row.comparisons[1].goal->MetBy(4.0));
    const std::string table = ReportTable(report, {{"cpu", "any"}});
    EXPECT_NE(table.find("2 x floor"), std::string::npos);
    EXPECT_NE(table.find("at most 2   met"), std::string::npos);
    EXPECT_NE(table.find("at least 5  missed"), std::string::npos);
}

TEST(BenchReport, ShowsRatesByAmount)
{
    EXPECT_EQ(InUnit({"M/s", 3.0, true}, 0.5), 6.0);
    EXPECT_EQ(InUnit(Milliseconds(), 0.5), 500.0);
}

TEST(Gemm, CountsTheProductsOfAGradient)
{
    // Forward, weights and inputs by hand; the first layer has no gradient of its input.
    const double linear = 2.0 * 64 * 784 * 10;
    EXPECT_EQ(TotalFlop(GradientGemms(BenchModel("mlp"), 64)), 8.0 * linear);
    const double convolutions = 2.0 * 802816.0 / 2.0 + 3.0 * 409600.0;
    const double head = 3.0 * 2.0 * (512.0 * 32.0 + 32.0 * 10.0);
    EXPECT_EQ(TotalFlop(GradientGemms(BenchModel("cnn-s"), 1)), convolutions + head);
}

TEST(PlainTorchStep, HasOurParameters)
{
    for (const char* model : {"mlp", "cnn-s", "cnn-m", "resnet-18"})
    {
        EXPECT_EQ(PlainTorchStep(model, 1).ParameterCount(), BenchModel(model).ParameterCount())
            << model;
    }
}

TEST(NodeWork, MovesTheModel)
{
    NodeWork work({"mlp", "auto", 2, 4, 1, Clipping::BATCH});
    const std::vector<float> before(work.State(1).Data(), work.State(1).Data() + 100);
    work.Step();
    work.Round();
    EXPECT_NE(std::vector<float>(work.State(1).Data(), work.State(1).Data() + 100), before);
}

} // namespace
} // namespace dpdl
