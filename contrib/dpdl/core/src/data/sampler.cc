// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/data/sampler.h"

#include <cmath>

namespace dpdl
{

namespace
{

/// Every example with probability B / J.
class PoissonSampler : public Sampler
{
  public:
    PoissonSampler(std::size_t batchSize, RandomSeed seed)
        : m_batchSize(batchSize),
          m_seed(seed)
    {
    }

    double Rate(std::size_t localExamples) const override
    {
        if (m_batchSize > localExamples)
        {
            throw UsageError("option 'batchSize'",
                             std::to_string(m_batchSize),
                             "1 to " + std::to_string(localExamples) +
                                 ", the number of examples a node owns");
        }
        return static_cast<double>(m_batchSize) / static_cast<double>(localExamples);
    }

    void Draw(const std::vector<std::uint32_t>& local,
              NodeId node,
              Round round,
              std::vector<std::uint32_t>& batch) const override
    {
        batch.clear();
        const double rate = Rate(local.size());
        if (rate >= 1.0)
        {
            batch = local;
            return;
        }
        // The gaps between drawn examples are geometric: P(gap >= k) = (1 - rate)^k.
        const RandomStream stream(m_seed, RandomPurpose::SAMPLING, node, round);
        const double logMiss = std::log1p(-rate);
        const auto count = static_cast<double>(local.size());
        double position = 0.0;
        for (std::uint64_t draw = 0;; ++draw)
        {
            position += std::floor(std::log1p(-stream.Uniform(draw)) / logMiss);
            if (position >= count)
            {
                return;
            }
            batch.push_back(local[static_cast<std::size_t>(position)]);
            position += 1.0;
        }
    }

  private:
    std::size_t m_batchSize;
    RandomSeed m_seed;
};

/// Every example, every round.
class FullSampler : public Sampler
{
  public:
    double Rate(std::size_t /* localExamples */) const override
    {
        return 1.0;
    }

    void Draw(const std::vector<std::uint32_t>& local,
              NodeId /* node */,
              Round /* round */,
              std::vector<std::uint32_t>& batch) const override
    {
        batch = local;
    }
};

Registry<SamplerFactory>
MakeRegistry()
{
    Registry<SamplerFactory> registry("sampler");
    registry.Add({"poisson",
                  "each local example independently with probability B / J",
                  "Abadi et al., CCS 2016, section 3",
                  {{"batchSize", "64", "B, expected size of a batch, at most J"}}},
                 [](std::size_t batchSize, RandomSeed seed) {
                     return std::make_shared<PoissonSampler>(batchSize, seed);
                 });
    registry.Reserve({"fixed", "B distinct local examples, all sets equally likely", "", {}});
    registry.Reserve({"shuffle", "successive batches of a permutation for each epoch", "", {}});
    registry.Add({"full", "every local example, every round", "", {}},
                 [](std::size_t /* batchSize */, RandomSeed /* seed */) {
                     return std::make_shared<FullSampler>();
                 });
    return registry;
}

} // namespace

const Registry<SamplerFactory>&
Samplers()
{
    static const Registry<SamplerFactory> registry = MakeRegistry();
    return registry;
}

std::shared_ptr<const Sampler>
MakeSampler(const std::string& name, std::size_t batchSize, RandomSeed seed)
{
    const SamplerFactory& factory = Samplers().Get(name);
    if (batchSize == 0)
    {
        throw UsageError("option 'batchSize'", "0", "at least 1");
    }
    return factory(batchSize, seed);
}

} // namespace dpdl
