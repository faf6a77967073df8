// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_PHILOX_NOISE_H
#define DPDL_BASE_PHILOX_NOISE_H

#include "dpdl/base/noise-source.h"

namespace dpdl
{

/// Normals of the stream (seed, NOISE, node, round).
class PhiloxNoise : public NoiseSource
{
  public:
    explicit PhiloxNoise(RandomSeed seed);

    std::string Name() const override;
    std::string Statement() const override;
    std::string Mechanism() const override;
    void AddNoise(double* values,
                  std::size_t count,
                  const NoiseScale& scale,
                  NodeId node,
                  Round round) const override;
    void AddNoisyStep(float* values,
                      const double* sum,
                      std::size_t count,
                      const NoiseScale& scale,
                      float factor,
                      NodeId node,
                      Round round) const override;

  private:
    NoiseScale DoFit(double clip, double mu, std::size_t count) const override;

    RandomSeed m_seed; ///< names the run
};

} // namespace dpdl

#endif // DPDL_BASE_PHILOX_NOISE_H
