// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_TORCH_MODEL_H
#define DPDL_TRAINING_TORCH_MODEL_H

// The only public header that includes LibTorch: for users' own models.

#include "dpdl/training/model.h"

#include <functional>
#include <memory>
#include <string>
#include <torch/nn/module.h>

namespace dpdl
{

/**
 * @brief A classifier written as a module of LibTorch.
 *
 * It has to be a function of its parameters and of the images: no buffers, no random numbers. It
 * runs in evaluation mode, in which dropout does nothing. Training calls it with one image at a
 * time, so the gradient of an example cannot depend on the others.
 */
class TorchModule : public torch::nn::Module
{
  public:
    /**
     * @brief The logits of images.
     * @param images [examples, channels, height, width], in [0, 1]
     * @return [examples, classes]
     */
    virtual at::Tensor Forward(const at::Tensor& images) = 0;
};

/// Builds a module; each worker has a separate one.
using TorchModuleFactory =
    std::function<std::shared_ptr<TorchModule>(ImageShape image, std::uint32_t classes)>;

/**
 * @brief Makes a model from a module.
 *
 * The flat vector holds the module's parameters in the order of named_parameters(). Their initial
 * values are drawn from the run's seed, not by the module's constructor. Tensors of two or more
 * dimensions and their biases start as in PyTorch's layers, a vector named weight at 1, any other
 * bias at 0, all others with small normals.
 *
 * @param name name of the model
 * @param image size of one image
 * @param classes number of logits
 * @param factory builds the module
 * @throws UsageError if the module cannot be trained, or does not give logits for such an image
 */
ModelSpec MakeTorchModel(const std::string& name,
                         ImageShape image,
                         std::uint32_t classes,
                         const TorchModuleFactory& factory);

/**
 * @brief Registers a module under a name, for the option `model` and MakeModel().
 *
 * Call it before the first run, on the thread of that run.
 * @tparam Module derives from TorchModule; its constructor takes (ImageShape, std::uint32_t
 * classes)
 * @param name kebab-case
 * @param summary one line
 * @throws UsageError if the name is taken
 */
template <typename Module>
void
RegisterTorchModel(const std::string& name, const std::string& summary)
{
    const TorchModuleFactory factory = [](ImageShape image, std::uint32_t classes) {
        return std::make_shared<Module>(image, classes);
    };
    RegisterModel({name, summary, "", {}},
                  [name, factory](ImageShape image, std::uint32_t classes) {
                      return MakeTorchModel(name, image, classes, factory);
                  });
}

} // namespace dpdl

#endif // DPDL_TRAINING_TORCH_MODEL_H
