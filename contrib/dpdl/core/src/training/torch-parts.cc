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
    return MakePerExampleLoopEngine(model, {});
}

std::unique_ptr<GradientEngine>
MakeCuda(const ModelSpec& model, std::size_t bytes)
{
    const at::Device device = CudaDevice(model);
    TorchPlace place{device, at::kCPU, false};
    if (bytes > 0)
    {
        place = {device, device, false, bytes};
    }
    return RecordedFunctionOf(model) != nullptr && !model.hasBatchStatistics
               ? MakeTensorClippingEngine(model, place)
               : MakePerExampleLoopEngine(model, place);
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
