// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/native-engine.h"

#include "blas.h"
#include "conv-layer.h"
#include "kernels.h"
#include "linear-layer.h"
#include "pool-layer.h"
#include "relu-layer.h"
#include "softmax-loss.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace dpdl
{

namespace
{

/// Examples in a chunk: enough for the products to be large, few enough for the cache.
constexpr std::size_t CHUNK = 8;

} // namespace

/// The layers with the memory between them, for one chunk of examples.
class NativeEngine::Network
{
  public:
    explicit Network(const ModelSpec& model);

    void Load(const float* parameters);
    void Forward(const Split& split, const std::uint32_t* examples, std::size_t count);
    BatchResult Gradient(const Batch& chunk, double clip);
    Evaluation Score(const Split& split, const std::uint32_t* examples, std::size_t count);
    void Store(float* gradientSum);

  private:
    void AddLayer(std::unique_ptr<NativeLayer> layer, std::size_t outputSize);
    LayerData Data(std::size_t layer, std::size_t count);
    void Backward(std::size_t count);

    ImageShape m_input;                                 ///< of one image
    std::size_t m_classes;                              ///< number of scores
    std::vector<std::unique_ptr<NativeLayer>> m_layers; ///< from the image to the scores
    std::vector<FloatBuffer> m_values;                  ///< [i] what flows into layer i
    std::vector<FloatBuffer> m_gradients;               ///< [i] gradient of m_values[i]
};

NativeEngine::Network::Network(const ModelSpec& model)
    : m_input(model.Shapes().front()),
      m_classes(model.Classes())
{
    m_values.emplace_back(CHUNK * m_input.Size());
    m_gradients.emplace_back(0);
    std::size_t tensor = 0;
    const std::vector<Layer>& layers = model.Layers();
    for (std::size_t i = 0; i < layers.size(); ++i)
    {
        const ImageShape& input = model.Shapes()[i];
        const std::size_t size = model.Shapes()[i + 1].Size();
        if (const auto* conv = std::get_if<Conv2d>(&layers[i]))
        {
            const std::size_t offset = model.Parameters()[tensor].offset;
            AddLayer(std::make_unique<ConvLayer>(*conv, input, offset, CHUNK), size);
            tensor += 2;
        }
        else if (const auto* linear = std::get_if<Linear>(&layers[i]))
        {
            const std::size_t offset = model.Parameters()[tensor].offset;
            AddLayer(std::make_unique<LinearLayer>(*linear, input, offset), size);
            tensor += 2;
        }
        else if (const auto* pool = std::get_if<MaxPool2d>(&layers[i]))
        {
            const bool relu = i > 0 && std::holds_alternative<Relu>(layers[i - 1]);
            AddLayer(std::make_unique<PoolLayer>(*pool, input, relu, CHUNK), size);
        }
        else if (i + 1 == layers.size() || !std::holds_alternative<MaxPool2d>(layers[i + 1]))
        {
            AddLayer(std::make_unique<ReluLayer>(size), size);
        }
    }
}

void
NativeEngine::Network::AddLayer(std::unique_ptr<NativeLayer> layer, std::size_t outputSize)
{
    m_layers.push_back(std::move(layer));
    m_values.emplace_back(CHUNK * outputSize);
    m_gradients.emplace_back(CHUNK * outputSize);
}

LayerData
NativeEngine::Network::Data(std::size_t layer, std::size_t count)
{
    return {m_values[layer].Data(),
            m_values[layer + 1].Data(),
            layer == 0 ? nullptr : m_gradients[layer].Data(),
            m_gradients[layer + 1].Data(),
            count};
}

void
NativeEngine::Network::Load(const float* parameters)
{
    for (const auto& layer : m_layers)
    {
        layer->Load(parameters);
    }
}

void
NativeEngine::Network::Store(float* gradientSum)
{
    for (const auto& layer : m_layers)
    {
        layer->Store(gradientSum);
    }
}

void
NativeEngine::Network::Forward(const Split& split, const std::uint32_t* examples, std::size_t count)
{
    const std::size_t size = m_input.Size();
    for (std::size_t i = 0; i < count; ++i)
    {
        LoadImage(split.pixels.data() + examples[i] * size,
                  m_input,
                  m_values.front().Data() + i * size);
    }
    for (std::size_t layer = 0; layer < m_layers.size(); ++layer)
    {
        m_layers[layer]->Forward(Data(layer, count));
    }
}

void
NativeEngine::Network::Backward(std::size_t count)
{
    for (std::size_t layer = m_layers.size(); layer-- > 0;)
    {
        m_layers[layer]->Backward(Data(layer, count));
    }
}

BatchResult
NativeEngine::Network::Gradient(const Batch& chunk, double clip)
{
    Forward(*chunk.split, chunk.examples, chunk.size);
    BatchResult result;
    result.size = static_cast<std::uint32_t>(chunk.size);
    for (std::size_t i = 0; i < chunk.size; ++i)
    {
        result.lossSum += SoftmaxLoss(m_values.back().Data() + i * m_classes,
                                      m_classes,
                                      chunk.split->labels[chunk.examples[i]],
                                      m_gradients.back().Data() + i * m_classes);
    }
    Backward(chunk.size);
    std::array<double, CHUNK> squares{};
    for (std::size_t layer = 0; layer < m_layers.size(); ++layer)
    {
        m_layers[layer]->AddSquaredNorms(Data(layer, chunk.size), squares.data());
    }
    std::array<float, CHUNK> factors{};
    for (std::size_t i = 0; i < chunk.size; ++i)
    {
        const double norm = std::sqrt(squares[i]);
        result.normSum += norm;
        result.clipped += norm <= clip ? 0 : 1;
        factors[i] = static_cast<float>(ClipFactor(norm, clip));
    }
    for (std::size_t layer = 0; layer < m_layers.size(); ++layer)
    {
        m_layers[layer]->AddClipped(Data(layer, chunk.size), factors.data());
    }
    return result;
}

Evaluation
NativeEngine::Network::Score(const Split& split, const std::uint32_t* examples, std::size_t count)
{
    Forward(split, examples, count);
    Evaluation evaluation;
    evaluation.size = count;
    for (std::size_t i = 0; i < count; ++i)
    {
        const float* scores = m_values.back().Data() + i * m_classes;
        const std::size_t label = split.labels[examples[i]];
        evaluation.lossSum += SoftmaxLoss(scores, m_classes, label, nullptr);
        evaluation.correct += BestClass(scores, m_classes) == label ? 1 : 0;
    }
    return evaluation;
}

NativeEngine::NativeEngine(const ModelSpec& model)
    : m_network(std::make_unique<Network>(model))
{
}

NativeEngine::~NativeEngine() = default;

BatchResult
NativeEngine::ClippedGradientSum(const float* parameters,
                                 const Batch& batch,
                                 double clip,
                                 float* gradientSum)
{
    UseOneBlasThread();
    m_network->Load(parameters);
    BatchResult result;
    for (std::size_t first = 0; first < batch.size; first += CHUNK)
    {
        const std::size_t count = std::min(CHUNK, batch.size - first);
        const BatchResult part =
            m_network->Gradient({batch.split, batch.examples + first, count}, clip);
        result.lossSum += part.lossSum;
        result.normSum += part.normSum;
        result.clipped += part.clipped;
        result.size += part.size;
    }
    m_network->Store(gradientSum);
    return result;
}

Evaluation
NativeEngine::Evaluate(const float* parameters,
                       const Split& split,
                       std::size_t first,
                       std::size_t count)
{
    UseOneBlasThread();
    m_network->Load(parameters);
    Evaluation evaluation;
    std::array<std::uint32_t, CHUNK> examples{};
    for (std::size_t begin = first; begin < first + count; begin += CHUNK)
    {
        const std::size_t size = std::min(CHUNK, first + count - begin);
        for (std::size_t i = 0; i < size; ++i)
        {
            examples[i] = static_cast<std::uint32_t>(begin + i);
        }
        evaluation += m_network->Score(split, examples.data(), size);
    }
    return evaluation;
}

} // namespace dpdl
