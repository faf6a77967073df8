// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_POISSON_SAMPLER_H
#define DPDL_DATA_POISSON_SAMPLER_H

#include "sized-sampler.h"

namespace dpdl
{

/// Every example with probability B / J.
class PoissonSampler : public SizedSampler
{
  public:
    using SizedSampler::SizedSampler;

    std::string AccountingName() const override;
    void Draw(const std::vector<std::uint32_t>& local,
              NodeId node,
              Round round,
              std::vector<std::uint32_t>& batch) const override;
};

} // namespace dpdl

#endif // DPDL_DATA_POISSON_SAMPLER_H
