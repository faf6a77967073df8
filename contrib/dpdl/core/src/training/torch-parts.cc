// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "torch-parts.h"

#include "dpdl/training/per-example-loop-engine.h"
#include "torch-device.h"
#include "torch-function.h"
#include "torch-library.h"

namespace dpdl
{

namespace
{

std::unique_ptr<GradientEngine>
MakeLoop(const ModelSpec& model)
{
    return std::make_unique<PerExampleLoopEngine>(model);
}

std::unique_ptr<GradientEngine>
MakeCuda(const ModelSpec& model)
{
    if (RecordedFunctionOf(model) != nullptr && !model.HasBatchStatistics())
    {
        return MakeTensorClippingEngine(model, CudaDevice(model));
    }
    return std::make_unique<PerExampleLoopEngine>(model, PerExampleLoopEngine::Place::CUDA);
}

} // namespace

} // namespace dpdl

const dpdl::TorchLibrary*
DpdlTorchLibrary()
{
    static const dpdl::TorchLibrary library{dpdl::MakeLoop,
                                            dpdl::MakeCuda,
                                            dpdl::MakeGhostClippingEngine,
                                            dpdl::MakeResNet18,
                                            dpdl::MakeResNet18BatchNorm,
                                            dpdl::MakeResNet18ImageNet,
                                            dpdl::MakeVitS,
                                            dpdl::MakeNetFunction};
    return &library;
}
