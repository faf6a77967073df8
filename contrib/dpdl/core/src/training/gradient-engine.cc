// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/gradient-engine.h"

#include "dpdl/training/native-engine.h"
#include "dpdl/training/torch-engine.h"

#include <cmath>

namespace dpdl
{

namespace
{

/// What the clip bound keeps in reserve for float32 rounding.
constexpr double CLIP_RESERVE = 1e-6;

Registry<GradientEngineFactory>
MakeRegistry()
{
    Registry<GradientEngineFactory> registry("engine");
    registry.Add({"native",
                  "per-example clipping by ghost norms and per-example convolution gradients",
                  "Goodfellow, arXiv:1510.01799; Bu et al., ICML 2023",
                  {}},
                 [](const ModelSpec& model) { return std::make_unique<NativeEngine>(model); });
    registry.Add({"libtorch", "one backward pass of LibTorch's autograd for each example", "", {}},
                 [](const ModelSpec& model) { return std::make_unique<TorchEngine>(model); });
    return registry;
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
    return size == 0 ? 0.0 : static_cast<double>(correct) / static_cast<double>(size);
}

double
Evaluation::MeanLoss() const
{
    return size == 0 ? 0.0 : lossSum / static_cast<double>(size);
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
    if (std::isinf(clip))
    {
        return 1.0;
    }
    if (!std::isfinite(norm))
    {
        return 0.0;
    }
    const double bound = clip * (1.0 - CLIP_RESERVE);
    return norm > bound ? bound / norm : 1.0;
}

const Registry<GradientEngineFactory>&
GradientEngines()
{
    static const Registry<GradientEngineFactory> registry = MakeRegistry();
    return registry;
}

std::unique_ptr<GradientEngine>
MakeGradientEngine(const std::string& name, const ModelSpec& model)
{
    return GradientEngines().Get(name)(model);
}

} // namespace dpdl
