// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * The CUDA device: a round of 20 nodes, and how much of its memory's bandwidth updates and mixing
 * reach. Wall-clock time, since the host waits.
 */

#include "dpdl/training/device-timing.h"
#include "harness/node-work.h"
#include "harness/run-bench.h"

namespace
{

using namespace dpdl;

constexpr std::size_t NODES = 20;

#ifdef DPDL_CUDA_ARCHITECTURES
constexpr const char* COMPILED = "Kernels compiled for sm_" DPDL_CUDA_ARCHITECTURES ", ";
#else
constexpr const char* COMPILED = "Kernels ";
#endif

/// What a step of all nodes should take at most on an H100, in ms; 0: no goal.
double
GoalOf(const std::string& model)
{
    return model == "cnn-s" ? 0.3 : model == "cnn-m" ? 3.0 : 0.0;
}

void
MeasureModel(const std::string& model, const BenchRequest& request, BenchReport& report)
{
    const auto images = MakeRandomImages(request.quick ? 256 : 4096, BenchImage(model));
    DeviceLoad load;
    load.nodes = NODES;
    load.repeats = request.repeats;
    const ModelSpec spec = MakeModel(model, images->shape, images->classes);
    const DeviceTiming timing = TimeCudaDevice(spec, *images, load);
    const double goal = GoalOf(model);
    const std::string of = " of " + std::to_string(NODES) + " nodes, " + model;
    report.AddNote(model + " on " + timing.device);
    report.AddRow("step" + of, Milliseconds(), Measurement({timing.stepSeconds})).goal =
        goal > 0.0 ? AtMost(goal) : std::nullopt;
    report.AddFigure("copy on the device" + of, "GB/s", Measurement({timing.copyBandwidth / 1e9}));
    report.AddFigure("update, part of the copy's bandwidth" + of,
                     "",
                     Measurement({timing.updateBandwidth / timing.copyBandwidth}),
                     AtLeast(0.8));
    report.AddFigure("mixing, part of the copy's bandwidth" + of,
                     "",
                     Measurement({timing.mixBandwidth / timing.copyBandwidth}),
                     AtLeast(0.7));
}

void
MeasureDevice(const BenchRequest& request, BenchReport& report)
{
    const std::string reason = WhyNoCudaDevice();
    if (!reason.empty())
    {
        report.AddNote(std::string(COMPILED) + "not run: " + reason + ".");
        return;
    }
    for (const std::string model : {"mlp", "cnn-s", "cnn-m"})
    {
        if (request.Wants(model))
        {
            MeasureModel(model, request, report);
        }
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return RunBench({"device",
                     "A round of 20 nodes on a CUDA device, and the bandwidth that it reaches.",
                     {"model"},
                     MeasureDevice},
                    {argv + 1, argv + argc});
}
