// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/data/sampler.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

// The samplers poisson, fixed, shuffle, full and cyclic Poisson, and their registry. A batch is a
// function of seed, node and round.

namespace dpdl
{

namespace
{

/// Base class of the samplers with a batch size B.
class SizedSampler : public Sampler
{
  public:
    SizedSampler(std::size_t batchSize, RandomSeed seed)
        : m_batchSize(batchSize),
          m_seed(seed)
    {
    }

    double Rate(std::size_t localExamples) const override
    {
        DPDL_REFUSE_IF(m_batchSize > localExamples,
                       "option 'batchSize'",
                       std::to_string(m_batchSize),
                       "1 to " + std::to_string(localExamples) +
                           ", the number of examples a node owns");
        return static_cast<double>(m_batchSize) / static_cast<double>(localExamples);
    }

  protected:
    /// Random stream for the batches of a node.
    /// @param round index of the round, or of the epoch for a stream that all rounds of an epoch
    ///        share
    RandomStream Stream(NodeId node, Round round) const
    {
        return RandomStream(m_seed, RandomPurpose::SAMPLING, node, round);
    }

    /// Batch size B, in examples.
    std::size_t BatchSize() const
    {
        return m_batchSize;
    }

  private:
    std::size_t m_batchSize; ///< batch size B, in examples
    RandomSeed m_seed;       ///< seed and run number
};

/// Sampler `shuffle`: in each epoch, cuts a random permutation of the node's examples into
/// successive batches of B examples.
class ShuffleSampler : public SizedSampler
{
  public:
    using SizedSampler::SizedSampler;

    std::string AccountingName() const override
    {
        return "shuffle";
    }

    std::optional<std::uint32_t> Epoch(Round round, std::size_t localExamples) const override
    {
        Rate(localExamples); // throws UsageError if the batch is larger than the node's number of
                             // examples
        return static_cast<std::uint32_t>(round / (localExamples / BatchSize()));
    }

    void Draw(const std::vector<std::uint32_t>& local,
              NodeId node,
              Round round,
              std::vector<std::uint32_t>& batch) const override
    {
        const std::uint32_t epoch = *Epoch(round, local.size());
        const std::size_t begin = round % (local.size() / BatchSize()) * BatchSize();
        const std::size_t end = begin + BatchSize();
        // Computes the epoch's permutation up to the end of this batch (Fisher and Yates).
        WordSequence words(Stream(node, epoch));
        std::vector<std::uint32_t> order(local.size());
        std::iota(order.begin(), order.end(), 0U);
        for (std::size_t i = 0; i < end; ++i)
        {
            const auto left = static_cast<std::uint32_t>(local.size() - i);
            std::swap(order[i], order[i + words.Integer(left)]);
        }
        const auto first = order.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = order.begin() + static_cast<std::ptrdiff_t>(end);
        std::sort(first, last);
        batch.clear();
        std::transform(first, last, std::back_inserter(batch), [&local](std::uint32_t position) {
            return local[position];
        });
    }
};

/// Sampler `fixed`: draws B distinct examples; all sets of that size are equally likely.
class FixedSampler : public SizedSampler
{
  public:
    using SizedSampler::SizedSampler;

    std::string AccountingName() const override
    {
        return "fixed";
    }

    void Draw(const std::vector<std::uint32_t>& local,
              NodeId node,
              Round round,
              std::vector<std::uint32_t>& batch) const override
    {
        // Floyd's algorithm takes B draws for any number of local examples (Bentley and Floyd, CACM
        // 1987).
        Rate(local.size()); // throws UsageError if the batch is larger than the node's number of
                            // examples
        WordSequence words(Stream(node, round));
        std::vector<bool> isDrawn(local.size(), false);
        for (std::size_t last = local.size() - BatchSize(); last < local.size(); ++last)
        {
            const std::size_t drawn = words.Integer(static_cast<std::uint32_t>(last + 1));
            isDrawn[isDrawn[drawn] ? last : drawn] = true;
        }
        batch.clear();
        for (std::size_t i = 0; i < local.size(); ++i)
        {
            if (isDrawn[i])
            {
                batch.push_back(local[i]);
            }
        }
    }
};

/// Sampler `poisson`: takes every example independently with probability B / J. J is the node's
/// number of examples, or a public number that is the same for all nodes.
class PoissonSampler : public SizedSampler
{
  public:
    PoissonSampler(std::size_t batchSize, RandomSeed seed, std::size_t publicExamples = 0)
        : SizedSampler(batchSize, seed),
          m_publicExamples(publicExamples)
    {
    }

    std::string AccountingName() const override
    {
        return "poisson";
    }

    double Rate(std::size_t localExamples) const override
    {
        return SizedSampler::Rate(PublicExamples(localExamples));
    }

    std::size_t PublicExamples(std::size_t localExamples) const override
    {
        return m_publicExamples > 0 ? m_publicExamples : localExamples;
    }

    double ExpectedSize(std::size_t /* localExamples */) const override
    {
        return static_cast<double>(BatchSize());
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
        // The number of skipped examples before each drawn example is geometric: it is at least k
        // with probability (1 - q)^k, with the sampling rate q.
        const RandomStream stream = Stream(node, round);
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
    /// Public number J of examples in the sampling rate B / J; 0: J is the node's number of
    /// examples.
    std::size_t m_publicExamples;
};

/// Sampler that MakeCyclicSampler() returns: round t draws a Poisson batch from part t mod the
/// number of parts.
class CyclicSampler : public SizedSampler
{
  public:
    CyclicSampler(std::size_t parts, std::size_t batchSize, RandomSeed seed)
        : SizedSampler(batchSize, seed),
          m_parts(parts),
          m_hash(seed, RandomPurpose::SAMPLING_PART, 0, 0)
    {
    }

    std::string AccountingName() const override
    {
        return "cyclic-poisson";
    }

    double Rate(std::size_t localExamples) const override
    {
        SizedSampler::Rate(localExamples); // throws UsageError if the batch is larger than the
                                           // node's number of examples
        const double rate =
            static_cast<double>(BatchSize() * m_parts) / static_cast<double>(localExamples);
        DPDL_REFUSE_IF(rate > 1.0,
                       "option 'batchSize'",
                       std::to_string(BatchSize()),
                       "1 to " + std::to_string(localExamples / m_parts) + ": each of " +
                           std::to_string(m_parts) + " parts has about as many examples");
        return rate;
    }

    double ExpectedSize(std::size_t /* localExamples */) const override
    {
        return static_cast<double>(BatchSize());
    }

    std::optional<std::uint32_t> Epoch(Round round, std::size_t /* localExamples */) const override
    {
        return static_cast<std::uint32_t>(round / m_parts);
    }

    void Draw(const std::vector<std::uint32_t>& local,
              NodeId node,
              Round round,
              std::vector<std::uint32_t>& batch) const override
    {
        const double rate = Rate(local.size());
        const RandomStream stream = Stream(node, round);
        batch.clear();
        for (std::size_t i = 0; i < local.size(); ++i)
        {
            if (m_hash.Word(local[i]) % m_parts == round % m_parts && stream.Uniform(i) < rate)
            {
                batch.push_back(local[i]);
            }
        }
    }

  private:
    std::size_t m_parts; ///< number of disjoint parts of the examples; each round uses one part
    RandomStream m_hash; ///< hash that assigns examples to parts, by index in the training split
};

/// Sampler `full`: takes every local example in every round.
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

/// Registers a sampler with a batch size.
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
                                     "Abadi et al., CCS 2016, section 3"},
                                    "B, expected size of a batch, at most J");
    AddSizedSampler<FixedSampler>(registry,
                                  {"fixed",
                                   "B distinct local examples, all sets equally likely",
                                   "Balle, Barthe and Gaboardi, NeurIPS 2018"},
                                  "B, size of every batch, at most J");
    AddSizedSampler<ShuffleSampler>(registry,
                                    {"shuffle",
                                     "successive batches of a permutation for each epoch",
                                     "Chua et al., ICML 2024; no privacy amplification"},
                                    "B, size of every batch, at most J");
    registry.Add({"full", "every local example, every round"},
                 [](std::size_t /* batchSize */, RandomSeed /* seed */) {
                     return std::make_shared<FullSampler>();
                 });
    return registry;
}

} // namespace

std::optional<std::uint32_t>
Sampler::Epoch(Round /* round */, std::size_t /* localExamples */) const
{
    return std::nullopt;
}

const Registry<SamplerFactory>&
Samplers()
{
    static const Registry<SamplerFactory> registry = BuiltInSamplers();
    return registry;
}

std::shared_ptr<const Sampler>
MakeCyclicSampler(std::size_t parts, std::size_t batchSize, RandomSeed seed)
{
    return std::make_shared<CyclicSampler>(parts, batchSize, seed);
}

std::shared_ptr<const Sampler>
MakeSampler(const std::string& name,
            std::size_t batchSize,
            RandomSeed seed,
            std::size_t publicExamples)
{
    const SamplerFactory& factory = Samplers().Get(name);
    DPDL_REFUSE_IF(batchSize == 0, "option 'batchSize'", "0", "at least 1");
    if (publicExamples == 0)
    {
        return factory(batchSize, seed);
    }
    DPDL_REFUSE_IF(name != "poisson",
                   "option 'sampler'",
                   name,
                   "poisson, for option 'publicExamples'");
    return std::make_shared<PoissonSampler>(batchSize, seed, publicExamples);
}

} // namespace dpdl
