// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/per-example-loop-engine.h"
#include "net-function.h"
#include "resnet.h"
#include "torch-function.h"
#include "torch-library.h"
#include "vit.h"

namespace dpdl
{

namespace
{

template <PerExampleLoopEngine::Place place>
std::unique_ptr<GradientEngine>
MakeLoop(const ModelSpec& model)
{
    return std::make_unique<PerExampleLoopEngine>(model, place);
}

} // namespace

} // namespace dpdl

const dpdl::TorchLibrary*
DpdlTorchLibrary()
{
    using Place = dpdl::PerExampleLoopEngine::Place;
    static const dpdl::TorchLibrary library{dpdl::MakeLoop<Place::HOST>,
                                            dpdl::MakeLoop<Place::CUDA>,
                                            dpdl::MakeGhostClippingEngine,
                                            dpdl::MakeResNet18,
                                            dpdl::MakeResNet18BatchNorm,
                                            dpdl::MakeResNet18ImageNet,
                                            dpdl::MakeVitS,
                                            dpdl::MakeNetFunction};
    return &library;
}
