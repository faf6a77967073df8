// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "philox-noise.h"

namespace dpdl
{

PhiloxNoise::PhiloxNoise(RandomSeed seed)
    : m_seed(seed)
{
}

std::string
PhiloxNoise::Name() const
{
    return "philox";
}

std::string
PhiloxNoise::Statement() const
{
    return "float32 noise of a seeded generator: reproducible, and a simulation of privacy only, "
           "because whoever knows the seed can take the noise off";
}

std::string
PhiloxNoise::Mechanism() const
{
    return "gaussian";
}

NoiseScale
PhiloxNoise::DoFit(double clip, double mu, std::size_t /* count */) const
{
    return {clip / mu, 0.0, clip};
}

void
PhiloxNoise::AddNoise(double* values,
                      std::size_t count,
                      const NoiseScale& scale,
                      NodeId node,
                      Round round) const
{
    const RandomStream stream(m_seed, RandomPurpose::NOISE, node, round);
    stream.AddNormal(values, count, scale.deviation);
}

void
PhiloxNoise::AddNoisyStep(float* values,
                          const double* sum,
                          std::size_t count,
                          const NoiseScale& scale,
                          float factor,
                          NodeId node,
                          Round round) const
{
    const RandomStream stream(m_seed, RandomPurpose::NOISE, node, round);
    stream.AddNormalStep({sum, scale.deviation, factor}, count, values);
}

} // namespace dpdl
