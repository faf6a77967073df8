// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_SAMPLER_H
#define DPDL_DATA_SAMPLER_H

#include "dpdl/base/random.h"
#include "dpdl/base/registry.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Draws the batches of the nodes.
 *
 * A sampler has no advancing state: the batch is a function of (seed, node, round) alone. Results
 * do not depend on the order of calls, and threads may share one sampler. The rounds passed to a
 * sampler number only the steps of the node (NodePlan::StepsBefore), so epochs use all examples
 * equally often.
 */
class Sampler
{
  public:
    virtual ~Sampler() = default;

    /**
     * @brief Name of the sampler for accountants, in Release::sampler: `poisson`,
     *        `cyclic-poisson`, `fixed`, `shuffle` or `full`.
     */
    virtual std::string AccountingName() const = 0;

    /**
     * @brief Sampling rate: the probability that a local example is in the batch of a round.
     *        AccountingName() determines the privacy amplification at this rate: none for
     *        `shuffle`, because batches of one epoch are not independent.
     * @param localExamples J, the number of examples that the node owns
     * @return in (0, 1]
     * @throws UsageError if the batch is larger than the node's dataset
     */
    virtual double Rate(std::size_t localExamples) const = 0;

    /**
     * @brief Expected size of a batch, normally Rate() * J. It is the divisor of a gradient sum. It
     *        does not depend on the data, unlike the size of the drawn batch.
     * @param localExamples J, the number of examples that the node owns
     */
    virtual double ExpectedSize(std::size_t localExamples) const
    {
        return Rate(localExamples) * static_cast<double>(localExamples);
    }

    /**
     * @brief Number of local examples that accountants use: the declared public number if there
     *        is one, else the true J.
     * @param localExamples J, the number of examples that the node owns
     */
    virtual std::size_t PublicExamples(std::size_t localExamples) const
    {
        return localExamples;
    }

    /**
     * @brief Epoch of a round over the local examples; empty for samplers without epochs.
     * @param round 0-based
     * @param localExamples J, the number of examples that the node owns
     */
    virtual std::optional<std::uint32_t> Epoch(Round round, std::size_t localExamples) const;

    /**
     * @brief Draws one batch.
     * @param local the node's examples, as indices into the training split
     * @param node that draws
     * @param round 0-based
     * @param[out] batch receives the drawn indices in the order of @p local; may become empty
     */
    virtual void Draw(const std::vector<std::uint32_t>& local,
                      NodeId node,
                      Round round,
                      std::vector<std::uint32_t>& batch) const = 0;
};

/// Makes a sampler for a run. Its first argument is the (expected) batch size in examples.
using SamplerFactory =
    std::function<std::shared_ptr<const Sampler>(std::size_t batchSize, RandomSeed seed)>;

/// All samplers by name: poisson, fixed, shuffle, full.
const Registry<SamplerFactory>& Samplers();

/**
 * @brief Makes the sampler of a run.
 *
 *  - `poisson`: every local example is in the batch with probability B / J, independently of all
 *    others (the sampling of Abadi et al., CCS 2016). Batches differ in size and may be empty.
 *  - `fixed`: B distinct local examples; every set of that size has the same probability, in every
 *    round independently.
 *  - `shuffle`: each epoch permutes the local examples randomly, and each round takes the next B of
 *    them. An epoch has floor(J / B) rounds; the remaining examples are not used. Training loops
 *    commonly do this. It gives no privacy amplification (Chua et al., ICML 2024, show the error of
 *    assuming the rates of Poisson sampling).
 *  - `full`: every local example, every round; the batch size is not used.
 *
 * @param name a name of Samplers()
 * @param batchSize B, the batch size (for `poisson`: expected), at least 1
 * @param seed of the run
 * @param publicExamples number that `poisson` uses as J at every node, so the sampling rate reveals
 *        nothing about the number of examples that the node owns; 0: the number that it owns
 * @throws UsageError if the name is unknown or the batch size is 0, or if the sampler does not
 *         support @p publicExamples
 */
std::shared_ptr<const Sampler> MakeSampler(const std::string& name,
                                           std::size_t batchSize,
                                           RandomSeed seed,
                                           std::size_t publicExamples = 0);

/**
 * @brief Poisson sampling that cycles through parts of the examples.
 *
 * A hash of its index assigns each example of the dataset to a part, independently of all other
 * examples. Round t draws from part t mod parts, each example with probability parts * B / J. No
 * example is in two batches of rounds that are less than `parts` apart. Accountants call it
 * `cyclic-poisson`; an epoch has `parts` rounds, and an example has one chance in it.
 *
 * @param parts at least 1; 1 is `poisson`
 * @param batchSize B, the expected size of a batch, at least 1
 * @param seed of the run
 */
std::shared_ptr<const Sampler> MakeCyclicSampler(std::size_t parts,
                                                 std::size_t batchSize,
                                                 RandomSeed seed);

} // namespace dpdl

#endif // DPDL_DATA_SAMPLER_H
