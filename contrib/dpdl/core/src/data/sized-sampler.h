// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_SIZED_SAMPLER_H
#define DPDL_DATA_SIZED_SAMPLER_H

#include "dpdl/data/sampler.h"

namespace dpdl
{

/// What the samplers with a batch size have in common.
class SizedSampler : public Sampler
{
  public:
    SizedSampler(std::size_t batchSize, RandomSeed seed)
        : m_batchSize(batchSize),
          m_seed(seed)
    {
    }

    double Rate(std::size_t localExamples) const override;

  protected:
    /// The random numbers of a node's round, or epoch.
    RandomStream Stream(NodeId node, Round round) const
    {
        return RandomStream(m_seed, RandomPurpose::SAMPLING, node, round);
    }

    /// B.
    std::size_t BatchSize() const
    {
        return m_batchSize;
    }

  private:
    std::size_t m_batchSize; ///< B
    RandomSeed m_seed;       ///< names the run
};

} // namespace dpdl

#endif // DPDL_DATA_SIZED_SAMPLER_H
