// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * How far message mode is from packets: the time that a message takes, over a grid of sizes, rates
 * and delays. The counters hold the largest error of the case in percent; the time of a case is
 * what the simulation of its packets and of its message takes. Nothing is fitted: message mode
 * knows the rate, the delay and the headers of a packet.
 */

#include "../contrib/dpdl/test/dpdl-fidelity-cases.h"
#include "harness/google-bench.h"

#include <benchmark/benchmark.h>

namespace
{

ns3::FidelityCase
CaseOf(const benchmark::State& state)
{
    return {static_cast<std::uint64_t>(state.range(0)) * 1000,
            1e6 * static_cast<double>(state.range(1)),
            1e-6 * static_cast<double>(state.range(2))};
}

void
Report(benchmark::State& state, const dpdl::DurationError& error)
{
    state.counters["error_percent"] = 100.0 * error.largest;
    state.counters["lost"] = static_cast<double>(error.lost);
}

void
OneLink(benchmark::State& state, dpdl::TransportKind kind)
{
    dpdl::DurationError error;
    for (auto _ : state)
    {
        error = ns3::CompareOneLink(CaseOf(state), kind);
    }
    Report(state, error);
}

void
Star(benchmark::State& state, ns3::StarTraffic traffic)
{
    dpdl::DurationError error;
    for (auto _ : state)
    {
        error =
            ns3::CompareStar(static_cast<std::uint32_t>(state.range(3)), traffic, CaseOf(state));
    }
    Report(state, error);
}

const std::vector<std::int64_t> SIZES{10, 100, 1000, 6000};
const std::vector<std::int64_t> RATES{1, 10, 100, 1000};
const std::vector<std::int64_t> DELAYS{100, 10000, 100000};

BENCHMARK_CAPTURE(OneLink, udp, dpdl::TransportKind::UDP)
    ->ArgNames({"kB", "Mbps", "us"})
    ->ArgsProduct({SIZES, RATES, DELAYS})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(OneLink, tcp, dpdl::TransportKind::TCP)
    ->ArgNames({"kB", "Mbps", "us"})
    ->ArgsProduct({SIZES, RATES, DELAYS})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Star, toHub, ns3::StarTraffic::TO_HUB)
    ->ArgNames({"kB", "Mbps", "us", "leaves"})
    ->ArgsProduct({{10, 100, 1000}, RATES, DELAYS, {2, 8}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Star, fromHub, ns3::StarTraffic::FROM_HUB)
    ->ArgNames({"kB", "Mbps", "us", "leaves"})
    ->ArgsProduct({{10, 100, 1000}, RATES, DELAYS, {2, 8}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

} // namespace

int
main(int argc, char* argv[])
{
    return dpdl::RunGoogleBench("fidelity",
                                "How far message mode is from packets, over a grid of sizes, rates "
                                "and delays.",
                                {argv + 1, argv + argc});
}
