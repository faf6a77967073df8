// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/model.h"

#include <algorithm>
#include <cmath>
#include <utility>

// ModelSpec: checks the shapes of a chain of layers and lists its parameter tensors.
// InitialParameters() draws their values from the seed.

namespace dpdl
{

namespace
{

/// Standard deviation of Initialisation::SMALL_NORMAL, as in torchvision's position embedding.
constexpr float SMALL_DEVIATION = 0.02F;

void
Fill(const ParameterTensor& tensor, const RandomStream& stream, float* values)
{
    const double bound = 1.0 / std::sqrt(static_cast<double>(tensor.fanIn));
    switch (tensor.start)
    {
    case Initialisation::FAN_IN_UNIFORM:
        for (std::size_t i = 0; i < tensor.size; ++i)
        {
            values[i] = static_cast<float>(bound * (2.0 * stream.Uniform(i) - 1.0));
        }
        break;
    case Initialisation::ONE:
        std::fill_n(values, tensor.size, 1.0F);
        break;
    case Initialisation::SMALL_NORMAL:
        stream.AddNormal(values, tensor.size, SMALL_DEVIATION);
        break;
    case Initialisation::ZERO:
        break;
    }
}

} // namespace

ModelSpec::ModelSpec(std::string name, ImageShape input, std::vector<Layer> layers)
    : m_name(std::move(name)),
      m_layers(std::move(layers)),
      m_shapes{input}
{
    unsigned convolutions = 0;
    unsigned linears = 0;
    for (const Layer& layer : m_layers)
    {
        if (const auto* residual = std::get_if<Residual>(&layer))
        {
            CheckResidual(*residual);
        }
        m_shapes.push_back(OutputShape(layer, m_shapes.back()));
        if (const auto* conv = std::get_if<Conv2d>(&layer))
        {
            AddParameters("conv" + std::to_string(++convolutions),
                          {conv->out, conv->in, conv->kernel, conv->kernel},
                          static_cast<std::size_t>(conv->in) * conv->kernel * conv->kernel);
        }
        else if (const auto* linear = std::get_if<Linear>(&layer))
        {
            AddParameters("fc" + std::to_string(++linears), {linear->out, linear->in}, linear->in);
        }
    }
    DPDL_REFUSE_IF(m_shapes.back().height != 1 || m_shapes.back().width != 1 ||
                       m_shapes.back().channels == 0,
                   "model '" + m_name + "'",
                   "output of " + m_shapes.back().Text(),
                   "one score for each class");
}

ModelSpec::ModelSpec(std::string name,
                     ImageShape input,
                     std::uint32_t classes,
                     std::vector<ParameterTensor> parameters,
                     std::shared_ptr<const ForwardFunction> function)
    : m_name(std::move(name)),
      m_shapes{input, {classes, 1, 1}},
      m_function(std::move(function))
{
    for (ParameterTensor& tensor : parameters)
    {
        tensor.offset = ParameterCount();
        tensor.size = 1;
        for (const std::uint32_t side : tensor.shape)
        {
            tensor.size *= side;
        }
        m_parameters.push_back(std::move(tensor));
    }
    m_partEnds.push_back(ParameterCount());
}

void
ModelSpec::CheckResidual(const Residual& residual) const
{
    const std::size_t before = m_shapes.size() - 1;
    const std::string what = "residual block of model '" + m_name + "'";
    DPDL_REFUSE_IF(residual.layers == 0 || residual.layers > before,
                   what,
                   std::to_string(residual.layers) + " layers",
                   "1 to " + std::to_string(before) + ", as many as are before its end");
    const ImageShape& begin = m_shapes[before - residual.layers];
    DPDL_REFUSE_IF(!(begin == m_shapes.back()),
                   what,
                   "from " + begin.Text() + " to " + m_shapes.back().Text(),
                   "the same shape at both ends");
}

void
ModelSpec::AddParameters(const std::string& layer,
                         const std::vector<std::uint32_t>& weight,
                         std::size_t fanIn)
{
    const std::size_t weights = fanIn * weight[0];
    m_parameters.push_back({layer + ".weight", weight, ParameterCount(), weights, fanIn});
    m_parameters.push_back({layer + ".bias", {weight[0]}, ParameterCount(), weight[0], fanIn});
    m_partEnds.push_back(ParameterCount());
}

std::size_t
ModelSpec::ParameterCount() const
{
    return m_parameters.empty() ? 0 : m_parameters.back().offset + m_parameters.back().size;
}

ModelSpec&
ModelSpec::DeclareNames(const std::vector<std::string>& names)
{
    for (std::size_t i = 0; i < m_parameters.size(); ++i)
    {
        m_parameters[i].name = names.at(i);
    }
    return *this;
}

Loss
ModelSpec::TrainingLoss() const
{
    return Classes() == 1 ? Loss::SQUARED_ERROR : Loss::CROSS_ENTROPY;
}

std::size_t
ModelSpec::PartEnd(std::size_t part) const
{
    DPDL_REFUSE_IF(part == 0 || part > Parts(),
                   "part of model '" + m_name + "'",
                   std::to_string(part),
                   "1 to " + std::to_string(Parts()));
    return m_partEnds[part - 1];
}

std::size_t
ModelSpec::PartOf(std::size_t index) const
{
    const auto end = std::upper_bound(m_partEnds.begin(), m_partEnds.end(), index);
    return static_cast<std::size_t>(end - m_partEnds.begin()) + 1;
}

ModelSpec&
ModelSpec::DeclareParts(const std::vector<std::size_t>& tensors)
{
    std::vector<std::size_t> ends;
    std::size_t behind = 0;
    for (const std::size_t count : tensors)
    {
        behind += count;
        if (count == 0 || behind > m_parameters.size())
        {
            break;
        }
        ends.push_back(m_parameters[behind - 1].offset + m_parameters[behind - 1].size);
    }
    DPDL_REFUSE_IF(ends.size() != tensors.size() || behind != m_parameters.size(),
                   "parts of model '" + m_name + "'",
                   std::to_string(tensors.size()) + " with " + std::to_string(behind) + " tensors",
                   "parts of one tensor or more, together " + std::to_string(m_parameters.size()));
    m_partEnds = std::move(ends);
    return *this;
}

void
CheckPerExampleGradients(const ModelSpec& model)
{
    DPDL_REFUSE_IF(model.hasBatchStatistics,
                   "model",
                   model.Name(),
                   "one without batch normalisation for private training, because clipping "
                   "cannot bound what one example does to it; group normalisation can take "
                   "its place");
}

std::vector<float>
InitialParameters(const ModelSpec& model, const std::string& init, RandomSeed seed)
{
    DPDL_REFUSE_IF(init != "default" && init != "zero", "option 'init'", init, "default or zero");
    if (init == "default" && model.start)
    {
        return *model.start;
    }
    std::vector<float> values(model.ParameterCount(), 0.0F);
    for (std::size_t index = 0; index < model.Parameters().size() && init == "default"; ++index)
    {
        const ParameterTensor& tensor = model.Parameters()[index];
        const RandomStream stream(seed,
                                  RandomPurpose::INITIALISATION,
                                  0,
                                  static_cast<Round>(index));
        Fill(tensor, stream, values.data() + tensor.offset);
    }
    return values;
}

} // namespace dpdl
