// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "torch-engine.h"

#include "dpdl/base/errors.h"
#include "dpdl/training/clip-rule.h"

#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <numeric>
#include <utility>

// TorchEngine: views of parameters and sums as tensors, and the parts of a batch.

namespace dpdl
{

namespace
{

/// Calls @p work in a prepared thread. Converts an error of LibTorch on another device than the CPU
/// to an Error whose one line advises the user.
template <typename Work>
auto
Explained(const at::Device& device, const Work& work)
{
    try
    {
        PrepareTorchThread();
        return work();
    }
    catch (const c10::Error& error)
    {
        if (device.is_cpu())
        {
            throw;
        }
        const std::string text = error.what_without_backtrace();
        throw Error("device: " + text.substr(0, text.find('\n')) +
                    "; a smaller batchSize or model takes less memory, --device=cpu none of it");
    }
}

} // namespace

std::vector<at::Tensor>
ParameterTensors(const ModelSpec& model, const float* parameters, const TorchPlace& place)
{
    std::vector<at::Tensor> tensors;
    for (const ParameterTensor& tensor : model.Parameters())
    {
        const std::vector<std::int64_t> shape(tensor.shape.begin(), tensor.shape.end());
        auto* data = const_cast<float*>(parameters + tensor.offset); // the tensor is only read
        tensors.push_back(at::from_blob(data, shape, at::device(place.home)).to(place.device));
    }
    return tensors;
}

TensorSum::TensorSum(double* total, std::size_t size, const TorchPlace& place)
    : m_result(at::from_blob(total,
                             {static_cast<std::int64_t>(size)},
                             at::device(place.home).dtype(at::kDouble))),
      m_total(place.home == place.device
                  ? m_result.zero_()
                  : at::zeros(m_result.sizes(), m_result.options().device(place.device)))
{
}

const at::Tensor&
TensorSum::Next(std::size_t examples)
{
    if (m_examples + examples > SUM_BLOCK)
    {
        Finish();
        m_block = at::zeros_like(m_total);
        m_examples = 0;
    }
    m_examples += examples;
    return m_block.defined() ? m_block : m_total;
}

void
TensorSum::Finish()
{
    if (m_block.defined())
    {
        m_total.add_(m_block);
    }
    if (!m_total.is_same(m_result))
    {
        m_result.copy_(m_total);
    }
}

TorchEngine::TorchEngine(ModelSpec model, const TorchPlace& place, std::size_t atOnce)
    : m_model(std::move(model)),
      m_place(place),
      m_atOnce(atOnce)
{
}

TorchBatch
TorchEngine::ToDevice(const Batch& part) const
{
    return MakeTorchBatch(part, m_model.Shapes().front(), m_place.device);
}

BatchResult
TorchEngine::ClippedGradientSum(const float* parameters,
                                const Batch& batch,
                                double clip,
                                double* gradientSum)
{
    return Explained(m_place.device, [&] {
        Load(ParameterTensors(m_model, parameters, m_place));
        TensorSum sum(gradientSum, m_model.ParameterCount(), m_place);
        BatchResult result;
        for (std::size_t first = 0; first < batch.size; first += m_atOnce)
        {
            result += AddPart(batch.Part(first, std::min(m_atOnce, batch.size - first)), clip, sum);
        }
        sum.Finish();
        return result;
    });
}

Evaluation
TorchEngine::Evaluate(const float* parameters,
                      const Split& split,
                      std::size_t first,
                      std::size_t count)
{
    return Explained(m_place.device, [&] {
        const c10::NoGradGuard guard;
        Load(ParameterTensors(m_model, parameters, m_place));
        std::vector<std::uint32_t> examples(count);
        std::iota(examples.begin(), examples.end(), static_cast<std::uint32_t>(first));
        Evaluation evaluation;
        for (std::size_t begin = 0; begin < count; begin += m_atOnce)
        {
            const TorchBatch part =
                ToDevice({&split, examples.data() + begin, std::min(m_atOnce, count - begin)});
            evaluation += EvaluateLogits(m_model, Logits(part.images), part.labels);
        }
        return evaluation;
    });
}

} // namespace dpdl
