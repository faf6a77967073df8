// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/torch-model.h"

#include "torch-function.h"

#include <ATen/ops/zeros.h>
#include <boost/algorithm/string/predicate.hpp>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <utility>

// Makes a ModelSpec from a user's TorchModule: lists its parameters, and checks buffers and logits.
// Each engine loads parameters into a separate module.

namespace dpdl
{

namespace
{

class ModuleForward : public TorchForward
{
  public:
    explicit ModuleForward(std::shared_ptr<TorchModule> module)
        : m_module(std::move(module)),
          m_leaves(m_module->parameters())
    {
        m_module->eval();
    }

    const std::vector<at::Tensor>& Load(const std::vector<at::Tensor>& parameters) override
    {
        const c10::NoGradGuard guard;
        for (std::size_t i = 0; i < m_leaves.size(); ++i)
        {
            m_leaves[i].copy_(parameters[i]);
        }
        return m_leaves;
    }

    at::Tensor Forward(const at::Tensor& images) override
    {
        return m_module->Forward(images);
    }

  private:
    std::shared_ptr<TorchModule> m_module; ///< module that only this engine uses
    std::vector<at::Tensor> m_leaves; ///< parameter tensors of the module, in the order of the flat
                                      ///< vector
};

class ModuleFunction : public TorchFunction
{
  public:
    explicit ModuleFunction(TorchModuleFactory factory)
        : m_factory(std::move(factory))
    {
    }

    double MultiplyAdds(const ModelSpec& model) const override
    {
        throw UsageError("option 'compute'",
                         "profile",
                         "fixed or measured for model '" + model.Name() +
                             "', whose operations are not known");
    }

    std::unique_ptr<TorchForward> MakeForward(const ModelSpec& model,
                                              const at::Device& device) const override
    {
        const auto classes = static_cast<std::uint32_t>(model.Classes());
        std::shared_ptr<TorchModule> module = m_factory(model.Shapes().front(), classes);
        if (!device.is_cpu())
        {
            module->to(device);
        }
        return std::make_unique<ModuleForward>(std::move(module));
    }

  private:
    TorchModuleFactory m_factory; ///< function that builds a module
};

/// Number of inputs on which one output of a weight depends.
/// @param weight tensor whose first axis is the outputs
std::size_t
FanIn(const at::Tensor& weight)
{
    return static_cast<std::size_t>(weight.numel() / weight.size(0));
}

/// Shape and distribution of the initial values of a parameter. MakeTorchModel() documents the
/// rule.
ParameterTensor
Describe(const std::string& name,
         const at::Tensor& values,
         const torch::OrderedDict<std::string, at::Tensor>& all)
{
    ParameterTensor tensor{name, {}, 0, 0, 1, Initialisation::SMALL_NORMAL};
    for (const std::int64_t side : values.sizes())
    {
        tensor.shape.push_back(static_cast<std::uint32_t>(side));
    }
    if (boost::algorithm::ends_with(name, "bias"))
    {
        const at::Tensor* weight =
            all.find(name.substr(0, name.size() - std::string("bias").size()) + "weight");
        const bool isLayer = weight != nullptr && weight->dim() > 1;
        tensor.start = isLayer ? Initialisation::FAN_IN_UNIFORM : Initialisation::ZERO;
        tensor.fanIn = isLayer ? FanIn(*weight) : 1;
    }
    else if (values.dim() > 1)
    {
        tensor.start = Initialisation::FAN_IN_UNIFORM;
        tensor.fanIn = FanIn(values);
    }
    else if (boost::algorithm::ends_with(name, "weight"))
    {
        tensor.start = Initialisation::ONE;
    }
    return tensor;
}

void
CheckParts(const std::string& name, const TorchModule& module)
{
    for (const auto& buffer : module.named_buffers())
    {
        throw UsageError("buffer of model '" + name + "'",
                         buffer.key(),
                         "none: what a model knows has to be in its parameters");
    }
    for (const auto& parameter : module.named_parameters())
    {
        DPDL_REFUSE_IF(parameter.value().scalar_type() != at::kFloat ||
                           parameter.value().numel() == 0,
                       "parameter of model '" + name + "'",
                       parameter.key(),
                       "float32 values");
    }
    DPDL_REFUSE_IF(module.parameters().empty(), "model", name, "one with parameters");
}

void
CheckLogits(const ModelSpec& model, TorchModule& module)
{
    const c10::NoGradGuard guard;
    const ImageShape& shape = model.Shapes().front();
    std::string found;
    try
    {
        module.eval();
        const at::Tensor logits =
            module.Forward(at::zeros({1, shape.channels, shape.height, shape.width}));
        const auto classes = static_cast<std::int64_t>(model.Classes());
        if (logits.dim() == 2 && logits.size(0) == 1 && logits.size(1) == classes)
        {
            return;
        }
        found = "scores of " + std::to_string(logits.dim()) + " dimensions and " +
                std::to_string(logits.numel()) + " values";
    }
    catch (const c10::Error& error)
    {
        const std::string text = error.what_without_backtrace();
        found = text.substr(0, text.find('\n'));
    }
    throw UsageError("model '" + model.Name() + "' with an image of " + shape.Text(),
                     found,
                     "scores [1, " + std::to_string(model.Classes()) + "]");
}

} // namespace

ModelSpec
MakeTorchModel(const std::string& name,
               ImageShape image,
               std::uint32_t classes,
               const TorchModuleFactory& factory)
{
    const std::shared_ptr<TorchModule> module = factory(image, classes);
    CheckParts(name, *module);
    const auto parameters = module->named_parameters();
    std::vector<ParameterTensor> tensors;
    for (const auto& parameter : parameters)
    {
        tensors.push_back(Describe(parameter.key(), parameter.value(), parameters));
    }
    ModelSpec model(name, image, classes, tensors, std::make_shared<ModuleFunction>(factory));
    CheckLogits(model, *module);
    return model;
}

} // namespace dpdl
