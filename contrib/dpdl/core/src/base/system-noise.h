// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_SYSTEM_NOISE_H
#define DPDL_BASE_SYSTEM_NOISE_H

#include "dpdl/base/noise-source.h"

namespace dpdl
{

/// Normals from the operating system's cryptographic generator.
class SystemNoise : public NoiseSource
{
  public:
    /// @throws Error if the operating system gives no random numbers: not first when a run needs
    /// one
    SystemNoise();

    std::string Name() const override;
    std::string Statement() const override;
    std::string Mechanism() const override;
    void AddNoise(double* values,
                  std::size_t count,
                  const NoiseScale& scale,
                  NodeId node,
                  Round round) const override;
};

} // namespace dpdl

#endif // DPDL_BASE_SYSTEM_NOISE_H
