// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/gradient-engine.h"

#include "cuda/host-device.h"
#include "dpdl/training/forward-function.h"
#include "native-network.h"
#include "torch-library.h"

#include <cmath>

// The registry of gradient engines. Resolves the name of an engine for a model, and makes the
// native engine or an engine of the LibTorch library.

namespace dpdl
{

namespace
{

std::unique_ptr<GradientEngine>
MakeNative(const ModelSpec& model)
{
    if (model.Function() != nullptr)
    {
        const std::string& reason = model.engineReason;
        throw UsageError(
            "engine",
            "native",
            "auto or libtorch for model '" + model.Name() + "', " +
                (reason.empty() ? "which is not a chain of layers" : "since " + reason));
    }
    return MakeNativeEngine(model);
}

bool
IsRecorded(const ModelSpec& model)
{
    return model.Function() != nullptr && model.Function()->Recorded() != nullptr;
}

std::unique_ptr<GradientEngine>
MakeTorch(const ModelSpec& model)
{
    const bool isOnePass = IsRecorded(model) && !model.hasBatchStatistics;
    return isOnePass ? Torch().ghostClipping(model) : Torch().loop(model);
}

} // namespace

BatchResult&
BatchResult::operator+=(const BatchResult& other)
{
    lossSum += other.lossSum;
    normSum += other.normSum;
    clipped += other.clipped;
    size += other.size;
    return *this;
}

double
Evaluation::Accuracy() const
{
    if (std::isnan(lossSum))
    {
        return lossSum; // NaN: with NaN logits, the accuracy is undefined
    }
    return size == 0 ? 0.0 : static_cast<double>(correct) / static_cast<double>(size);
}

Evaluation&
Evaluation::operator+=(const Evaluation& other)
{
    correct += other.correct;
    lossSum += other.lossSum;
    size += other.size;
    return *this;
}

double
ClipFactor(double norm, double clip)
{
    return cuda::ClipFactorOf(norm, clip);
}

const Registry<GradientEngineFactory>&
GradientEngines()
{
    static const auto registry =
        Registry<GradientEngineFactory>("engine")
            .Add({"auto", "native where the model is a chain of layers, else libtorch", "", {}},
                 [](const ModelSpec& model) {
                     return MakeGradientEngine(ResolveEngine("auto", model), model);
                 })
            .Add({"native",
                  "per-example clipping by ghost norms and per-example convolution gradients",
                  "Goodfellow, arXiv:1510.01799; Bu et al., ICML 2023",
                  {}},
                 MakeNative)
            .Add(
                {"libtorch",
                 "per-example clipping in one pass of LibTorch's autograd over a batch, for models "
                 "whose operations are recorded; else libtorch-loop",
                 "Bu et al., ICML 2023 (arXiv:2210.00038); Li et al., ICLR 2022",
                 {}},
                MakeTorch)
            .Add({"libtorch-loop",
                  "one backward pass of LibTorch's autograd for each example",
                  "",
                  {}},
                 [](const ModelSpec& model) { return Torch().loop(model); })
            .Add({"libtorch-cuda",
                  "LibTorch on a CUDA device, for --device=cuda: one pass over a batch, also for "
                  "chains of layers; for models whose operations are not recorded libtorch-loop",
                  "",
                  {}},
                 [](const ModelSpec& model) { return Torch().cuda(model, 0); });
    return registry;
}

std::string
ResolveEngine(const std::string& name, const ModelSpec& model)
{
    const std::string torch = IsRecorded(model) ? "libtorch" : "libtorch-loop";
    if (name == "auto")
    {
        return model.Function() == nullptr ? "native" : torch;
    }
    return name == "libtorch" ? torch : name;
}

std::unique_ptr<GradientEngine>
MakeGradientEngine(const std::string& name, const ModelSpec& model)
{
    return GradientEngines().Get(name)(model);
}

} // namespace dpdl
