// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/compute-model.h"

#include "dpdl/training/forward-function.h"

#include <algorithm>
#include <cmath>

// Parses option `compute`, defines the speeds of devices, and counts the operations of a training
// step.

namespace dpdl
{

namespace
{

/// Assumed ratio of a device's speed in training small models to its peak speed.
constexpr double UTILISATION = 0.1;

Registry<ComputeKind>
MakeComputeKinds()
{
    const ParameterInfo heterogeneous{
        "heterogeneous",
        "1",
        "S: the steps of a node take a factor longer, log-uniform in [1, S]"};
    Registry<ComputeKind> registry("option 'compute'");
    registry.Add({"fixed",
                  "fixed:TIME, a time that is given",
                  "",
                  {{"TIME", "10ms", "simulated time of a local step"}, heterogeneous}},
                 ComputeKind::FIXED);
    registry.Add({"measured",
                  "the wall time of each step on this machine; not reproducible",
                  "",
                  {heterogeneous}},
                 ComputeKind::MEASURED);
    registry.Add({"profile",
                  "profile:NAME, operations of a step over the speed of a device",
                  "",
                  {{"NAME", "", "a name of `list compute-profiles`"}, heterogeneous}},
                 ComputeKind::PROFILE);
    return registry;
}

/// Makes the profile of a device.
/// @param peak float32 operations per second: cores * clock in Hz * operations per core and cycle
/// @param overhead seconds that each step takes in addition to its operations
ComputeProfile
Device(double peak, double overhead)
{
    return {UTILISATION * peak, overhead};
}

/// Number of multiply-adds of a layer for one example in the forward pass. Layers other than Linear
/// and Conv2d count as 0.
double
MultiplyAdds(const Layer& layer, const ImageShape& output)
{
    if (const auto* linear = std::get_if<Linear>(&layer))
    {
        return static_cast<double>(linear->in) * linear->out;
    }
    if (const auto* conv = std::get_if<Conv2d>(&layer))
    {
        const double window = static_cast<double>(conv->in) * conv->kernel * conv->kernel;
        return window * static_cast<double>(output.Size());
    }
    return 0.0;
}

/// Text in option `compute` before the factor S >= 1, for example `:heterogeneous=3`.
const std::string HETEROGENEOUS = ":heterogeneous=";

/// Parses a value of option @p name such as `fixed:10ms:heterogeneous=3`.
/// @throws UsageError naming the option if the value has another form
StepTime
ParseStepTime(const std::string& name, const std::string& text)
{
    const std::string what = OptionTitle(name);
    const std::size_t end = text.find(HETEROGENEOUS);
    StepTime time;
    if (end != std::string::npos)
    {
        time.heterogeneity = ParseNumber(what,
                                         text.substr(end + HETEROGENEOUS.size()),
                                         "a factor >= 1",
                                         [](double value) { return value >= 1.0; });
    }
    const std::string model = text.substr(0, end);
    const std::size_t colon = std::min(model.find(':'), model.size());
    const std::string kind = model.substr(0, colon);
    const std::string value = model.substr(std::min(colon + 1, model.size()));
    const std::vector<std::string> kinds = ComputeKinds().Names();
    const bool known = std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
    DPDL_REFUSE_IF(!known || (kind == "measured") != value.empty(),
                   what,
                   text,
                   "fixed:TIME such as fixed:10ms, measured, or profile:NAME");
    time.kind = ComputeKinds().Get(kind);
    if (time.kind == ComputeKind::FIXED)
    {
        time.seconds = ParseSeconds(what, value);
    }
    if (time.kind == ComputeKind::PROFILE)
    {
        ComputeProfiles().Get(value);
        time.profile = value;
    }
    return time;
}

/// Formats a step time in the syntax of ParseStepTime().
std::string
ShowStepTime(const StepTime& time)
{
    std::string text = ComputeKinds().NameOf(time.kind);
    text += time.kind == ComputeKind::FIXED ? ":" + ShowNumber(time.seconds) + "s" : "";
    text += time.kind == ComputeKind::PROFILE ? ":" + time.profile : "";
    return time.heterogeneity > 1.0 ? text + HETEROGENEOUS + ShowNumber(time.heterogeneity) : text;
}

} // namespace

Codec<StepTime>
StepTimes()
{
    return {"fixed:TIME, measured, or profile:NAME, and :heterogeneous=S behind it",
            ParseStepTime,
            ShowStepTime};
}

const Registry<ComputeKind>&
ComputeKinds()
{
    static const Registry<ComputeKind> registry = MakeComputeKinds();
    return registry;
}

const Registry<ComputeProfile>&
ComputeProfiles()
{
    static const auto registry =
        Registry<ComputeProfile>("compute profile")
            .Add({"cortex-m7",
                  "microcontroller, about 0.1 GFLOP/s sustained",
                  "estimate: a tenth of 1 core * 480 MHz * 2 (one scalar FMA a cycle)"},
                 Device(480e6 * 2, 1e-3))
            .Add({"pi4",
                  "Raspberry Pi 4, about 5 GFLOP/s sustained",
                  "estimate: a tenth of 4 cores * 1.5 GHz * 8 (128-bit FMA a cycle)"},
                 Device(4 * 1.5e9 * 8, 1e-3))
            .Add({"jetson-nano",
                  "embedded GPU, about 24 GFLOP/s sustained",
                  "estimate: a tenth of 128 cores * 921.6 MHz * 2 (one FMA a cycle)"},
                 Device(128 * 921.6e6 * 2, 2e-3))
            .Add({"laptop",
                  "four cores with AVX2, about 38 GFLOP/s sustained",
                  "estimate: a tenth of 4 cores * 3 GHz * 32 (two 256-bit FMA a cycle)"},
                 Device(4 * 3e9 * 32, 0.5e-3));
    return registry;
}

double
TrainingFlops(const ModelSpec& model)
{
    if (model.Function() != nullptr)
    {
        return 2.0 * 3.0 * model.Function()->MultiplyAdds(model);
    }
    double operations = 0.0;
    // The first layer with parameters has two passes, forward and gradient of its parameters. Later
    // layers also compute the gradient of their input.
    double passes = 2.0;
    for (std::size_t i = 0; i < model.Layers().size(); ++i)
    {
        operations += 2.0 * passes * MultiplyAdds(model.Layers()[i], model.Shapes()[i + 1]);
        passes = HasParameters(model.Layers()[i]) ? 3.0 : passes;
    }
    return operations;
}

ComputeModel::ComputeModel(double nodeSeconds, double heterogeneity, RandomSeed seed)
    : m_nodeSeconds(nodeSeconds),
      m_heterogeneity(heterogeneity),
      m_seed(seed)
{
}

double
ComputeModel::Factor(NodeId node) const
{
    const RandomStream stream(m_seed, RandomPurpose::COMPUTE, node, 0);
    return std::pow(m_heterogeneity, stream.Uniform(0));
}

double
ComputeModel::Slowest(std::size_t nodes) const
{
    double slowest = 0.0;
    for (NodeId node = 0; node < nodes; ++node)
    {
        slowest = std::max(slowest, Seconds(node));
    }
    return slowest;
}

} // namespace dpdl
