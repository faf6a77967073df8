// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "device-runner.h"
#include "dpdl/base/errors.h"
#include "dpdl/training/local-step.h"

namespace dpdl
{

const ModelSpec&
ModelOnDevice(const RunnerSupplies& supplies)
{
    if (supplies.model->Layers().empty())
    {
        throw UsageError("device",
                         "cuda",
                         "cpu for model '" + supplies.model->Name() +
                             "', which is not a chain of layers");
    }
    if (supplies.noise->Name() != "philox")
    {
        throw UsageError("device", "cuda", "cpu for noise source '" + supplies.noise->Name() + "'");
    }
    return *supplies.model;
}

std::string
WhyNotOnDevice(const NodeJob& job)
{
    const LocalUpdate& update = job.update;
    if (!update.enabled)
    {
        return "";
    }
    if (update.step != nullptr && !update.step->IsPlain())
    {
        return "local steps other than one noisy gradient";
    }
    if (!update.chunkSteps.empty())
    {
        return "chunks with their own step sizes";
    }
    if (job.increment)
    {
        return "algorithms that send before they step";
    }
    if (job.standardNoise)
    {
        return "noise that waits for a sensitivity";
    }
    if (job.recordNoise && update.noise > 0.0)
    {
        return "runs that keep their noise";
    }
    return "";
}

} // namespace dpdl
