// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_COMPUTE_MODEL_H
#define DPDL_EXPERIMENT_COMPUTE_MODEL_H

#include "dpdl/base/codec.h"
#include "dpdl/base/random.h"
#include "dpdl/base/types.h"
#include "dpdl/training/model.h"

#include <string>

namespace dpdl
{

/// Where the simulated time of a local step comes from.
enum class ComputeKind
{
    FIXED,    ///< a time that is given
    MEASURED, ///< the wall time that the step takes here: such a run cannot be repeated
    PROFILE,  ///< the operations of the step over the speed of a device
};

/// What a local step takes, as option `compute` says it.
struct StepTime
{
    ComputeKind kind{ComputeKind::FIXED}; ///< where the time comes from
    double seconds{10e-3};                ///< simulated time of a step under FIXED
    std::string profile;                  ///< name in ComputeProfiles(), under PROFILE
    double heterogeneity{1.0};            ///< S >= 1: nodes take up to S times as long
};

/**
 * @brief Training speed of a kind of device.
 *
 * The speeds are estimates: what the device's arithmetic units can do at most in float32, from
 * their number and clock, times the tenth of it that training small models is taken to reach. They
 * are good for a factor of a few, and for comparing devices.
 */
struct ComputeProfile
{
    double flops{0.0};    ///< sustained float32 operations per second in training, > 0
    double overhead{0.0}; ///< additional seconds of each step, >= 0
};

/// All ways to time a local step, by the word that option `compute` begins with.
const Registry<ComputeKind>& ComputeKinds();

/// All devices, with the numbers that their speed was computed from.
const Registry<ComputeProfile>& ComputeProfiles();

/// Reads and shows option `compute`.
Codec<StepTime> StepTimes();

/**
 * @brief Floating-point operations of one training step on one example.
 *
 * Two for every multiply-add of a linear or convolutional layer, three times over: forward, and
 * backward to the layer's input and to its weights. The first layer of a chain has no input to go
 * back to; of a model that is not a chain every layer counts three times.
 *
 * @throws UsageError if the model does not know its operations
 */
double TrainingFlops(const ModelSpec& model);

/**
 * @brief The simulated time of every node's local steps.
 *
 * Nodes differ by their own factor, log-uniform in [1, S] and the same in every round.
 */
class ComputeModel
{
  public:
    /**
     * @param nodeSeconds time of a step at a factor of 1; 0 where steps are measured
     * @param heterogeneity S >= 1
     * @param seed of the run
     */
    ComputeModel(double nodeSeconds, double heterogeneity, RandomSeed seed);

    /// By what the steps of @p node take longer than those of the fastest node there can be.
    double Factor(NodeId node) const;

    /// Seconds of a step of @p node.
    double Seconds(NodeId node) const
    {
        return m_nodeSeconds * Factor(node);
    }

    /// Seconds of a step of the slowest of the first @p nodes nodes.
    double Slowest(std::size_t nodes) const;

  private:
    double m_nodeSeconds;   ///< at a factor of 1
    double m_heterogeneity; ///< S
    RandomSeed m_seed;      ///< of the run
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_COMPUTE_MODEL_H
