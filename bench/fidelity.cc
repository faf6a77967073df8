// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * How far message mode is from packets: the time that a message takes, over a grid of sizes, rates
 * and delays. A row has the largest error of a case in percent, and below the cases of one kind of
 * traffic stands what all of them have. Nothing is fitted: message mode knows the rate, the delay
 * and the headers of a packet.
 */

#include "../contrib/dpdl/test/dpdl-fidelity-cases.h"
#include "dpdl/base/quantity.h"
#include "harness/run-bench.h"

#include <functional>

namespace
{

using dpdl::BenchReport;
using dpdl::BenchRequest;
using dpdl::Measurement;
using dpdl::ShowNumber;
using ns3::FidelityCase;

/// A kind of traffic.
struct Traffic
{
    std::string name;                                            ///< for the table
    std::vector<double> kilobytes;                               ///< of a message
    std::function<dpdl::DurationError(const FidelityCase&)> run; ///< compares one case
};

const std::vector<double> MEGABITS{1, 10, 100, 1000};  // a second
const std::vector<double> MICROSECONDS{100, 1e4, 1e5}; // of delay

std::vector<Traffic>
AllTraffic()
{
    const std::vector<double> sizes{10, 100, 1000, 6000};
    std::vector<Traffic> all;
    for (const auto& [name, kind] :
         {std::pair{"udp", dpdl::TransportKind::UDP}, std::pair{"tcp", dpdl::TransportKind::TCP}})
    {
        all.push_back(
            {std::string(name) + ", one link", sizes, [kind = kind](const FidelityCase& one) {
                 return ns3::CompareOneLink(one, kind);
             }});
    }
    for (const auto& [name, direction] : {std::pair{" to the hub", ns3::StarTraffic::TO_HUB},
                                          std::pair{" from the hub", ns3::StarTraffic::FROM_HUB}})
    {
        for (const std::uint32_t leaves : {2U, 8U})
        {
            all.push_back({"udp, star, " + std::to_string(leaves) + " leaves" + name,
                           {10, 100, 1000},
                           [leaves, direction = direction](const FidelityCase& one) {
                               return ns3::CompareStar(leaves, direction, one);
                           }});
        }
    }
    return all;
}

void
MeasureTraffic(const Traffic& traffic, const BenchRequest& request, BenchReport& report)
{
    Measurement errors;
    double lost = 0.0;
    for (const double size : traffic.kilobytes)
    {
        for (const double rate : MEGABITS)
        {
            for (const double delay : MICROSECONDS)
            {
                const std::string what = traffic.name + ", " + ShowNumber(size) + " kB, " +
                                         ShowNumber(rate) + " Mbit/s, " + ShowNumber(delay) + " us";
                if (!request.Fits(what) || (request.quick && !errors.Values().empty()))
                {
                    continue;
                }
                const dpdl::DurationError error =
                    traffic.run({static_cast<std::uint64_t>(1e3 * size), 1e6 * rate, 1e-6 * delay});
                errors.Add(100.0 * error.largest);
                lost += static_cast<double>(error.lost);
                report.AddFigure(what + ": largest error",
                                 "%",
                                 Measurement({100.0 * error.largest}));
            }
        }
    }
    if (!errors.Values().empty())
    {
        report.AddFigure(traffic.name + ": error of all cases", "%", errors);
        report.AddFigure("  the largest", "%", Measurement({errors.Quantile(1.0)}));
        report.AddFigure("  lost in one of the two", "", Measurement({lost}));
    }
}

void
Measure(const BenchRequest& request, BenchReport& report)
{
    for (const Traffic& traffic : AllTraffic())
    {
        MeasureTraffic(traffic, request, report);
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return dpdl::RunBench({"fidelity",
                           "How far message mode is from packets, over a grid of sizes, rates and "
                           "delays.",
                           {"filter"},
                           Measure},
                          {argv + 1, argv + argc});
}
