// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_TORCH_MODEL_H
#define DPDL_TRAINING_TORCH_MODEL_H

// The only public header that includes LibTorch. Users who write a model as a LibTorch module need
// it.

#include "dpdl/training/model.h"

#include <functional>
#include <memory>
#include <string>
#include <torch/nn/module.h>

namespace dpdl
{

/**
 * @brief A classifier that a user writes as a LibTorch module.
 *
 * Its logits have to depend only on its parameters and the images, so it has no buffers and draws
 * no random numbers. It runs in evaluation mode, in which dropout does nothing. Training passes one
 * image at a time, so the gradient of an example cannot depend on the other examples.
 */
class TorchModule : public torch::nn::Module
{
  public:
    /**
     * @brief Computes the logits of images.
     * @param images [examples, channels, height, width], in [0, 1]
     * @return logits [examples, classes]
     */
    virtual at::Tensor Forward(const at::Tensor& images) = 0;
};

/// Builds a module; each worker calls it once and uses the result alone.
using TorchModuleFactory =
    std::function<std::shared_ptr<TorchModule>(ImageShape image, std::uint32_t classes)>;

/**
 * @brief Makes a model from a LibTorch module.
 *
 * The flat vector holds the module's parameters in the order of named_parameters(). Their initial
 * values are drawn from the run's seed, not by the module's constructor. Tensors of two or more
 * dimensions and their biases start as in PyTorch's layers. Vectors named weight start at 1, and
 * biases without such a tensor at 0. All other tensors start with small normal values.
 *
 * @param name name of the model
 * @param image size of one image
 * @param classes number of logits
 * @param factory builds a module for an image size and a number of classes
 * @throws UsageError if the module cannot be trained, or does not return one logit per class
 */
ModelSpec MakeTorchModel(const std::string& name,
                         ImageShape image,
                         std::uint32_t classes,
                         const TorchModuleFactory& factory);

/**
 * @brief Registers a LibTorch module as a model, for the option `model` and MakeModel().
 *
 * Call it before the first run, on the thread of that run.
 * @tparam Module derives from TorchModule; its constructor takes (ImageShape, std::uint32_t
 * classes)
 * @param name name of the model, in kebab-case
 * @param summary one line for lists of models
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
