// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "torch-parts.h"

#include "torch-batch.h"
#include "torch-function.h"
#include "torch-library.h"

namespace dpdl
{

namespace
{

std::unique_ptr<GradientEngine>
MakeLoop(const ModelSpec& model)
{
    return MakePerExampleLoopEngine(model, at::kCPU);
}

std::unique_ptr<GradientEngine>
MakeCuda(const ModelSpec& model)
{
    const at::Device device = CudaDevice(model);
    return RecordedFunctionOf(model) != nullptr && !model.hasBatchStatistics
               ? MakeTensorClippingEngine(model, device)
               : MakePerExampleLoopEngine(model, device);
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
                                            dpdl::MakeNetFunction,
                                            dpdl::MakeScriptModel};
    return &library;
}
