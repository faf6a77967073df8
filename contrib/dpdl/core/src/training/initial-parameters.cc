// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/model.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

/// Deviation of Initialisation::SMALL_NORMAL, that of torchvision's position embedding.
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

std::vector<float>
InitialParameters(const ModelSpec& model, const std::string& init, RandomSeed seed)
{
    if (init != "default" && init != "zero")
    {
        throw UsageError("option 'init'", init, "default or zero");
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
