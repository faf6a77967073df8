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

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

namespace
{

using dpdl::BenchReport;
using dpdl::BenchRequest;
using dpdl::Measurement;
using dpdl::ShowNumber;
using ns3::FidelityCase;
using ns3::LinuxRow;

/// A kind of traffic.
struct Traffic
{
    std::string name;                                            ///< for the table
    std::vector<double> kilobytes;                               ///< of a message
    std::function<dpdl::DurationError(const FidelityCase&)> run; ///< compares one case
};

const std::vector<double> MEGABITS{1, 10, 100, 1000}; // a second
/// Runs of a row whose packets are lost, each with 31 messages.
constexpr std::uint64_t LOSSY_RUNS = 8;

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

std::vector<LinuxRow>
ReadLinuxRows()
{
    std::ifstream file(DPDL_BENCH_DATA "/linux-delivery.csv");
    std::vector<LinuxRow> rows;
    std::string line;
    for (std::getline(file, line); std::getline(file, line);)
    {
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream words(line);
        LinuxRow row;
        words >> row.protocol >> row.senders >> row.bytes >> row.rate >> row.delay >> row.loss >>
            row.gap >> row.messages >> row.median >> row.mean;
        rows.push_back(row);
    }
    return rows;
}

double
GeometricMean(const std::vector<double>& ratios)
{
    double sum = 0.0;
    for (const double ratio : ratios)
    {
        sum += std::log(ratio);
    }
    return std::exp(sum / static_cast<double>(ratios.size()));
}

/// Time of a message in message mode, which knows neither TCP nor losses of packets.
double
MessageSeconds(const LinuxRow& row)
{
    ns3::NodeContainer nodes;
    nodes.Create(2);
    const auto transport = ns3::MakeFidelityTransport({row.bytes, row.rate, row.delay});
    const auto message = ns3::TimeVolley(nodes, {{0, 1, row.bytes}}, transport).front();
    return message.arrivedAt - message.sentAt;
}

/// Mean over some runs of the time in packet mode.
double
MeanPacketSeconds(const LinuxRow& row, const BenchRequest& request)
{
    const std::uint64_t runs = row.loss > 0.0 && !request.quick ? LOSSY_RUNS : 1;
    double sum = 0.0;
    for (std::uint64_t run = 1; run <= runs; ++run)
    {
        sum += ns3::PacketSeconds(row, run);
    }
    return sum / static_cast<double>(runs);
}

/// The times of one sender over TCP against those of Linux: by rate, delay and loss, over the
/// sizes of messages, and over all rows with losses.
void
MeasureLinux(const BenchRequest& request, BenchReport& report)
{
    std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> cells;
    std::vector<double> lossy;
    for (const LinuxRow& row : ReadLinuxRows())
    {
        const std::string what = "tcp against Linux, " + ShowNumber(1e-6 * row.rate) + " Mbit/s, " +
                                 ShowNumber(1e3 * row.delay) + " ms, loss " +
                                 ShowNumber(100.0 * row.loss) + " %, gap " + ShowNumber(row.gap) +
                                 " s";
        const bool isMine = row.protocol == "cubic" && row.senders == 1 && request.Fits(what);
        if (!isMine || (request.quick && !cells.empty()))
        {
            continue;
        }
        const double ratio = MeanPacketSeconds(row, request) / row.mean;
        cells[what].first.push_back(ratio);
        cells[what].second.push_back(MessageSeconds(row) / row.mean);
        if (row.loss > 0.0)
        {
            lossy.push_back(ratio);
        }
    }
    for (const auto& [what, ratios] : cells)
    {
        report.AddFigure(what + ": packet mode", "of Linux", Measurement(ratios.first));
        report.AddFigure(what + ": message mode", "of Linux", Measurement(ratios.second));
    }
    if (!lossy.empty())
    {
        const auto [least, most] = std::minmax_element(lossy.begin(), lossy.end());
        report.AddFigure("  with loss, packet mode: geometric mean",
                         "of Linux",
                         Measurement({GeometricMean(lossy)}));
        report.AddFigure("  the least", "of Linux", Measurement({*least}));
        report.AddFigure("  the largest", "of Linux", Measurement({*most}));
    }
}

void
Measure(const BenchRequest& request, BenchReport& report)
{
    MeasureLinux(request, report);
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
