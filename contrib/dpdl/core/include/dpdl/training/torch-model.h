// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_TORCH_MODEL_H
#define DPDL_TRAINING_TORCH_MODEL_H

// The only public header that includes LibTorch. It is needed for models written as LibTorch
// modules.

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
 * The logits must depend only on the module's parameters and the images. The module must therefore
 * have no buffers, and draw no random numbers. The module runs in evaluation mode, in which dropout
 * has no effect. Training passes one image at a time, so the gradient of an example cannot depend
 * on other examples.
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

/// Builds a module. Each worker thread calls the function once, and no other thread uses the module
/// that the worker receives.
using TorchModuleFactory =
    std::function<std::shared_ptr<TorchModule>(ImageShape image, std::uint32_t classes)>;

/**
 * @brief Makes a model from a LibTorch module.
 *
 * The flat vector has the module's parameters in the order of named_parameters(). Initial values
 * are drawn from the run's seed; those of the module's constructor are ignored. Tensors of two or
 * more dimensions and their biases start as in PyTorch's layers. Vectors named `weight` start at 1,
 * and biases without a weight tensor of two or more dimensions at 0. All other tensors start with
 * small normal values.
 *
 * @param name name of the model
 * @param image size of one image
 * @param classes number of logits
 * @param factory factory of the module
 * @throws UsageError if the module cannot be trained, or does not return one logit per class
 */
ModelSpec MakeTorchModel(const std::string& name,
                         ImageShape image,
                         std::uint32_t classes,
                         const TorchModuleFactory& factory);

/**
 * @brief Registers a LibTorch module as a model, for the option `model` and MakeModel().
 *
 * Must be called before the first run, by the thread that starts the run.
 * @tparam Module class derived from TorchModule; its constructor takes (ImageShape, std::uint32_t
 *         classes)
 * @param name name of the model, in kebab-case
 * @param summary description in one line, for lists of models
 * @throws UsageError if a model of this name is registered
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
