// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/input-file.h"
#include "dpdl/training/torch-model.h"
#include "net-model.h"
#include "torch-parts.h"

#include <algorithm>
#include <set>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/version.h>
#include <utility>

// The model of a TorchScript file: a TorchModule that calls the script. An engine computes its
// gradients one example at a time.

namespace dpdl
{

namespace
{

std::string
PlaceOf(const ScriptFile& file)
{
    return "script '" + file.script + "' of model file '" + file.path + "'";
}

/// Last line of a text. In a message of LibTorch's interpreter, this line describes the error.
std::string
LastLine(const std::string& text)
{
    const std::size_t end = text.find_last_not_of(" \n");
    const std::size_t start = end == std::string::npos ? end : text.rfind('\n', end);
    return text.substr(start == std::string::npos ? 0 : start + 1, end - start);
}

torch::jit::Module
LoadScript(const ScriptFile& file)
{
    OpenInputFile("script of model file '" + file.path + "'", file.script);
    try
    {
        return torch::jit::load(file.script, at::kCPU);
    }
    catch (const std::exception& error)
    {
        const std::string unknown = "Unknown builtin op: ";
        const std::string text = error.what();
        const std::size_t at = text.find(unknown);
        DPDL_REFUSE_IF(at == std::string::npos,
                       PlaceOf(file),
                       text.substr(0, text.find('\n')),
                       "a TorchScript file, as dpdl.export_model writes it");
        const std::string operation = text.substr(at + unknown.size());
        throw UsageError(PlaceOf(file),
                         "operation " + operation.substr(0, operation.find_first_of(" \n")),
                         "operations of LibTorch " TORCH_VERSION ", which has not this one");
    }
}

/// A TorchModule whose parameters are the trainable parameters of a script. A parameter with
/// several names is listed once.
class ScriptModule : public TorchModule
{
  public:
    explicit ScriptModule(const ScriptFile& file)
        : m_file(file),
          m_script(LoadScript(file)),
          m_shape(file.input.begin(), file.input.end())
    {
        m_shape.insert(m_shape.begin(), 0);
        for (const auto& part : m_script.named_modules())
        {
            const auto& type = *part.value.type();
            for (std::size_t i = 0; i < type.numAttributes(); ++i)
            {
                if (type.is_parameter(i) || type.is_buffer(i))
                {
                    m_slots.push_back(
                        {part.name + (part.name.empty() ? "" : ".") + type.getAttributeName(i),
                         part.value._ivalue(),
                         i});
                }
            }
        }
        std::set<const void*> seen;
        for (const auto& parameter : m_script.named_parameters())
        {
            const at::Tensor& value = parameter.value;
            if (value.requires_grad() && seen.insert(value.unsafeGetTensorImpl()).second)
            {
                m_names.push_back(parameter.name);
                // Parameter names in LibTorch must not contain a dot.
                std::string name = parameter.name;
                std::replace(name.begin(), name.end(), '.', '/');
                register_parameter(name, value);
            }
        }
    }

    at::Tensor Forward(const at::Tensor& images) override
    {
        DPDL_REFUSE_IF(!images.device().is_cpu(),
                       "option 'device'",
                       "cuda",
                       "cpu for a trace, which was made on it");
        // Disable the optimiser of TorchScript. It starts after the first calls of each worker, so
        // the last bits would depend on the worker that computes an example.
        const torch::jit::GraphOptimizerEnabledGuard plain(false);
        m_shape.front() = images.size(0);
        const at::Tensor examples = images.reshape(m_shape);
        const std::vector<Version> before = Versions();
        at::Tensor scores;
        try
        {
            scores =
                m_script.forward({m_file.isWhole ? examples.to(at::kLong) : examples}).toTensor();
        }
        catch (const std::exception& error)
        {
            throw UsageError(PlaceOf(m_file),
                             LastLine(error.what()),
                             "a script that takes the examples of the dataset");
        }
        const std::vector<Version> after = Versions();
        const auto changed = std::mismatch(before.begin(), before.end(), after.begin()).first;
        DPDL_REFUSE_IF(changed != before.end(),
                       PlaceOf(m_file),
                       "a forward pass that writes to " + m_slots[changed - before.begin()].name,
                       "one that leaves no state of an example for the next");
        return scores;
    }

    /// Names of the trainable parameters in the script, in the order of parameters().
    const std::vector<std::string>& Names() const
    {
        return m_names;
    }

  private:
    /// Place of a parameter or buffer in the script: name, module and attribute of the module.
    struct Slot
    {
        std::string name;
        c10::intrusive_ptr<c10::ivalue::Object> module;
        std::size_t index;
    };

    /// Address, and LibTorch's count of in-place writes, of the tensor in a slot.
    using Version = std::pair<const void*, std::uint32_t>;

    std::vector<Version> Versions() const
    {
        std::vector<Version> versions(m_slots.size());
        std::transform(m_slots.begin(), m_slots.end(), versions.begin(), [](const Slot& slot) {
            const at::Tensor& value = slot.module->getSlot(slot.index).toTensor();
            return Version(value.unsafeGetTensorImpl(), value._version());
        });
        return versions;
    }

    const ScriptFile m_file;           ///< TorchScript file
    torch::jit::Module m_script;       ///< TorchScript module with its parameters
    std::vector<Slot> m_slots;         ///< parameters and buffers, which a forward pass keeps
    std::vector<std::int64_t> m_shape; ///< shape of a batch; Forward() sets the first axis, the
                                       ///< number of examples
    std::vector<std::string> m_names;  ///< names of the trainable parameters, in the order of
                                       ///< parameters()
};

/// Number of tensors in each part of the model. A part consists of consecutive tensors of one
/// layer, whose names differ only after the last dot.
std::vector<std::size_t>
PartsOf(const std::vector<std::string>& names)
{
    std::vector<std::size_t> parts;
    std::string last;
    for (const std::string& name : names)
    {
        const std::string layer = name.substr(0, name.rfind('.') + 1);
        if (parts.empty() || layer != last)
        {
            parts.push_back(0);
        }
        ++parts.back();
        last = layer;
    }
    return parts;
}

/// Initial parameters of the script as a flat vector.
/// @throws UsageError naming a parameter that is not finite
std::vector<float>
StartOf(const ScriptFile& file, const ScriptModule& module)
{
    std::vector<float> start;
    for (std::size_t i = 0; i < module.Names().size(); ++i)
    {
        const at::Tensor values = module.parameters()[i].detach().contiguous();
        DPDL_REFUSE_IF(!values.isfinite().all().item<bool>(),
                       PlaceOf(file) + ", parameter '" + module.Names()[i] + "'",
                       "a value that is not finite",
                       "numbers");
        start.insert(start.end(),
                     values.data_ptr<float>(),
                     values.data_ptr<float>() + values.numel());
    }
    return start;
}

} // namespace

ModelSpec
MakeScriptModel(const ScriptFile& file)
{
    ModelSpec model = MakeTorchModel(
        "file:" + file.path,
        ImageShapeOf(file.input),
        file.scores,
        [file](ImageShape, std::uint32_t) { return std::make_shared<ScriptModule>(file); });
    ScriptModule module(file);
    const at::NoGradGuard noGradients;
    module.Forward(at::zeros({1, static_cast<std::int64_t>(ImageShapeOf(file.input).Size())}));
    model.DeclareNames(module.Names());
    model.start = std::make_shared<const std::vector<float>>(StartOf(file, module));
    model.DeclareParts(PartsOf(module.Names()));
    model.tokens = file.tokens;
    model.engineReason = "engine libtorch-loop because " + file.reason;
    return model;
}

} // namespace dpdl
