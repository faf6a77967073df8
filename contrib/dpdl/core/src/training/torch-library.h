// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_TORCH_LIBRARY_H
#define DPDL_TRAINING_TORCH_LIBRARY_H

#include "dpdl/training/gradient-engine.h"

#include <memory>

namespace dpdl
{

struct Net;
struct ScriptFile;

/**
 * @brief Entry points of the library dpdl-core-torch.
 *
 * This library contains all code that links to LibTorch. The library takes half a second to load,
 * so a program loads it only if it computes with LibTorch.
 */
struct TorchLibrary
{
    using Function = std::shared_ptr<const ForwardFunction>(const Net& net);

    using Engine = std::unique_ptr<GradientEngine>(const ModelSpec& model);
    using Model = ModelSpec(ImageShape input, std::uint32_t classes);
    using Script = ModelSpec(const ScriptFile& file);

    Engine* loop; ///< makes an engine that takes one backward pass per example on the host
    /// Makes an engine on a CUDA device: MakeTensorClippingEngine(), or MakePerExampleLoopEngine()
    /// for models that need it. bytes 0: parameters and gradient sums are in host memory. Otherwise
    /// they are in the device's memory, and the gradients of a pass take at most that many bytes.
    std::unique_ptr<GradientEngine> (*cuda)(const ModelSpec& model, std::size_t bytes);
    Engine* ghostClipping;    ///< pointer to MakeGhostClippingEngine()
    Model* resNet18;          ///< pointer to MakeResNet18()
    Model* resNet18BatchNorm; ///< pointer to MakeResNet18BatchNorm()
    Model* resNet18ImageNet;  ///< pointer to MakeResNet18ImageNet()
    Model* vitS;              ///< pointer to MakeVitS()
    Function* net;            ///< pointer to MakeNetFunction()
    Script* script;           ///< pointer to MakeScriptModel()
};

/// Returns the entry points; the first call loads the library.
/// @throws Error if it cannot be loaded
const TorchLibrary& Torch();

} // namespace dpdl

/// Entry point of the library dpdl-core-torch.
extern "C" const dpdl::TorchLibrary* DpdlTorchLibrary();

#endif // DPDL_TRAINING_TORCH_LIBRARY_H
