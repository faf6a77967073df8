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

/// Source of the simulated time of a local step.
enum class ComputeKind
{
    FIXED,    ///< every step takes a given time
    MEASURED, ///< a step takes its wall time on this machine; such a run cannot be repeated
    PROFILE,  ///< a step takes its operations divided by the speed of a device
};

/// Duration of a local step, as given by option `compute`.
struct StepTime
{
    ComputeKind kind{ComputeKind::FIXED}; ///< source of the step's time
    double seconds{10e-3};                ///< simulated time of a step under FIXED
    std::string profile;                  ///< PROFILE: name of the device in ComputeProfiles()
    double heterogeneity{1.0};            ///< S >= 1: nodes take up to S times as long
};

/**
 * @brief Training speed of a kind of device.
 *
 * The speeds are estimates: the float32 peak of the device's arithmetic units, from their number
 * and clock, times 0.1, the fraction of it that training of small models is assumed to reach. They
 * are rough, and serve to compare devices.
 */
struct ComputeProfile
{
    double flops{0.0};    ///< sustained float32 operations per second in training, > 0
    double overhead{0.0}; ///< additional seconds of each step, >= 0
};

/// All sources of step times, by the first word of option `compute`.
const Registry<ComputeKind>& ComputeKinds();

/// All devices, with the numbers from which their speed was computed.
const Registry<ComputeProfile>& ComputeProfiles();

/// Codec of option `compute`.
Codec<StepTime> StepTimes();

/**
 * @brief Floating-point operations of one training step on one example.
 *
 * Two operations for every multiply-add of a linear or convolutional layer, times three: forward,
 * backward to the layer's input, and backward to its weights. In a model that is a sequence of
 * layers, the first layer with parameters counts only twice, since no gradient of its input is
 * needed. In all other models every layer counts three times.
 *
 * @throws UsageError if the number of operations of the model is unknown
 */
double TrainingFlops(const ModelSpec& model);

/**
 * @brief The simulated time of every node's local steps.
 *
 * The duration of a node's steps is multiplied by a constant factor of the node. It is drawn
 * log-uniformly from [1, S], where S is the heterogeneity.
 */
class ComputeModel
{
  public:
    /**
     * @param nodeSeconds seconds of a step at a factor of 1; 0 if steps are measured
     * @param heterogeneity S >= 1: nodes take up to S times as long
     * @param seed of the run
     */
    ComputeModel(double nodeSeconds, double heterogeneity, RandomSeed seed);

    /// Factor on the duration of the steps of @p node, in [1, S].
    double Factor(NodeId node) const;

    /// Simulated seconds of a step of @p node; 0 if steps are measured.
    double Seconds(NodeId node) const
    {
        return m_nodeSeconds * Factor(node);
    }

    /// Duration of a step of the slowest of the first @p nodes nodes, in seconds.
    double Slowest(std::size_t nodes) const;

  private:
    double m_nodeSeconds;   ///< seconds of a step at a factor of 1
    double m_heterogeneity; ///< S >= 1: nodes take up to S times as long
    RandomSeed m_seed;      ///< seed of the run
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_COMPUTE_MODEL_H
