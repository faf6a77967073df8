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
 * A sampler has no mutable state: a batch is a function of (seed, node, round) and the node's
 * examples. Threads may share a sampler. The round passed to a sampler counts only rounds in which
 * the node steps (NodePlan::StepsBefore), so epochs use all examples equally often.
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
     * @brief Sampling rate: the probability that a local example is in the batch of a round. The
     *        privacy amplification at this rate depends on AccountingName(). The sampler `shuffle`
     *        has no privacy amplification, because batches of one epoch are not independent.
     * @param localExamples J, the number of examples that the node owns
     * @return rate in (0, 1]
     * @throws UsageError if the batch size B exceeds PublicExamples(J), or if the rate of a cyclic
     *         sampler would exceed 1
     */
    virtual double Rate(std::size_t localExamples) const = 0;

    /**
     * @brief Expected size of a batch, in examples; by default Rate() * J. Gradient sums are
     *        divided by this public number instead of the size of the drawn batch.
     * @param localExamples J, the number of examples that the node owns
     */
    virtual double ExpectedSize(std::size_t localExamples) const
    {
        return Rate(localExamples) * static_cast<double>(localExamples);
    }

    /**
     * @brief Number of local examples that accountants assume: the public number of option
     *        `publicExamples`, or J if the option is not given.
     * @param localExamples J, the number of examples that the node owns
     */
    virtual std::size_t PublicExamples(std::size_t localExamples) const
    {
        return localExamples;
    }

    /**
     * @brief Index of the epoch over the local examples to which a round belongs, from 0; empty for
     *        samplers without epochs.
     * @param round number of earlier rounds in which the node stepped
     * @param localExamples J, the number of examples that the node owns
     */
    virtual std::optional<std::uint32_t> Epoch(Round round, std::size_t localExamples) const;

    /**
     * @brief Draws one batch. Throws UsageError in the same cases as Rate().
     * @param local the node's examples, as indices into the training split
     * @param node node that draws
     * @param round number of earlier rounds in which the node stepped
     * @param[out] batch receives the drawn indices into the training split, in the order of @p
     *             local; may be empty
     */
    virtual void Draw(const std::vector<std::uint32_t>& local,
                      NodeId node,
                      Round round,
                      std::vector<std::uint32_t>& batch) const = 0;
};

/// Factory of a sampler. @p batchSize is the (expected) batch size in examples.
using SamplerFactory =
    std::function<std::shared_ptr<const Sampler>(std::size_t batchSize, RandomSeed seed)>;

/// Registry of the factories of the samplers poisson, fixed, shuffle and full. It does not have the
/// cyclic sampler; see MakeCyclicSampler().
const Registry<SamplerFactory>& Samplers();

/**
 * @brief Makes the sampler of a run.
 *
 *  - `poisson`: every local example is in the batch with probability B / J, independently of all
 *    others (the sampling of Abadi et al., CCS 2016). Batches differ in size and may be empty.
 *  - `fixed`: B distinct local examples. Every set of B examples has the same probability. Rounds
 *    are independent.
 *  - `shuffle`: each epoch permutes the local examples randomly, and each round takes the next B of
 *    them. An epoch has floor(J / B) rounds, and the remaining examples are not used in it. This
 *    sampler gives no privacy amplification. Chua et al. (ICML 2024) show the error of accounting
 *    for it as Poisson sampling.
 *  - `full`: every local example in every round. The batch size is not used.
 *
 * @param name a name of Samplers()
 * @param batchSize B, the batch size (for `poisson`: expected), at least 1
 * @param seed seed of the run
 * @param publicExamples public number that `poisson` uses as J at every node, so the sampling rate
 *        does not reveal the true number; 0: each node uses its true number
 * @throws UsageError if the name is unknown, the batch size is 0, or the sampler does not support
 *         @p publicExamples
 */
std::shared_ptr<const Sampler> MakeSampler(const std::string& name,
                                           std::size_t batchSize,
                                           RandomSeed seed,
                                           std::size_t publicExamples = 0);

/**
 * @brief Makes a sampler that divides the examples into parts and draws a Poisson batch from one
 *        part per round, cyclically.
 *
 * A hash of the example's index assigns each example of the dataset to one of @p parts parts. In
 * round t, a node with J examples draws each of its examples in part t mod parts with probability
 * parts * B / J. An example of another part is not drawn, so two rounds whose batches have a common
 * example are a multiple of `parts` apart. The sampler's AccountingName() is `cyclic-poisson`. An
 * epoch has `parts` rounds; an example can be drawn in only one of them.
 *
 * @param parts number of parts, at least 1; with 1 part, batches have the same distribution as
 *        those of `poisson`
 * @param batchSize B, the expected size of a batch, at least 1
 * @param seed seed of the run
 */
std::shared_ptr<const Sampler> MakeCyclicSampler(std::size_t parts,
                                                 std::size_t batchSize,
                                                 RandomSeed seed);

} // namespace dpdl

#endif // DPDL_DATA_SAMPLER_H
