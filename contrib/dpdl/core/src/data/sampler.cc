// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/data/sampler.h"

#include "fixed-sampler.h"
#include "poisson-sampler.h"
#include "shuffle-sampler.h"

#include <utility>

namespace dpdl
{

namespace
{

/// Every example, every round.
class FullSampler : public Sampler
{
  public:
    std::string AccountingName() const override
    {
        return "full";
    }

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

/// Enters a sampler that has a batch size.
template <typename T>
void
AddSizedSampler(Registry<SamplerFactory>& registry, PartInfo info, const std::string& meaning)
{
    info.parameters = {{"batchSize", "64", meaning}};
    registry.Add(std::move(info), [](std::size_t batchSize, RandomSeed seed) {
        return std::make_shared<T>(batchSize, seed);
    });
}

Registry<SamplerFactory>
BuiltInSamplers()
{
    Registry<SamplerFactory> registry("sampler");
    AddSizedSampler<PoissonSampler>(registry,
                                    {"poisson",
                                     "each local example independently with probability B / J",
                                     "Abadi et al., CCS 2016, section 3",
                                     {}},
                                    "B, expected size of a batch, at most J");
    AddSizedSampler<FixedSampler>(registry,
                                  {"fixed",
                                   "B distinct local examples, all sets equally likely",
                                   "Balle, Barthe and Gaboardi, NeurIPS 2018",
                                   {}},
                                  "B, size of every batch, at most J");
    AddSizedSampler<ShuffleSampler>(registry,
                                    {"shuffle",
                                     "successive batches of a permutation for each epoch",
                                     "Chua et al., ICML 2024; no privacy amplification",
                                     {}},
                                    "B, size of every batch, at most J");
    registry.Add({"full", "every local example, every round", "", {}},
                 [](std::size_t /* batchSize */, RandomSeed /* seed */) {
                     return std::make_shared<FullSampler>();
                 });
    return registry;
}

} // namespace

std::uint32_t
Sampler::Epoch(Round /* round */, std::size_t /* localExamples */) const
{
    return 0;
}

const Registry<SamplerFactory>&
Samplers()
{
    static const Registry<SamplerFactory> registry = BuiltInSamplers();
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
