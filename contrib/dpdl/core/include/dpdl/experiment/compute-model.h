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
    FIXED,    ///< every step takes the same given time
    MEASURED, ///< a step takes its wall-clock time on this machine; results differ between runs
    PROFILE,  ///< a step takes its number of operations divided by the speed of a device
};

/// Duration of a local step, as given by option `compute`.
struct StepTime
{
    ComputeKind kind{ComputeKind::FIXED}; ///< source of the step's time
    double seconds{10e-3};                ///< FIXED: simulated duration of a step, s
    std::string profile;                  ///< PROFILE: name of the device in ComputeProfiles()
    double heterogeneity{1.0}; ///< S >= 1: largest factor on the duration of a node's steps
};

/**
 * @brief Training speed of one type of device.
 *
 * The speeds are rough estimates for comparing devices: a tenth of the device's float32 peak, which
 * is computed from the number and clock rate of its arithmetic units. The tenth is an assumption
 * about training of small models.
 */
struct ComputeProfile
{
    double flops{0.0};    ///< float32 operations per second in training, > 0
    double overhead{0.0}; ///< additional time per step, s, >= 0
};

/// Registry of all sources of step times; key: first word of option `compute`.
const Registry<ComputeKind>& ComputeKinds();

/// Registry of all devices by their name in option `compute`. The descriptions have the numbers
/// from which the speeds are computed.
const Registry<ComputeProfile>& ComputeProfiles();

/// Codec of option `compute`: parses it to a StepTime and formats it. Parsing throws UsageError
/// naming the option.
Codec<StepTime> StepTimes();

/**
 * @brief Number of floating-point operations of one training step, per example of its batch.
 *
 * A multiply-add of a linear or convolutional layer counts as two operations. Each layer counts
 * three times: forward, backward to its input, and backward to its weights. In a model that is a
 * sequence of layers, the first layer with parameters counts twice, because no gradient of its
 * input is needed.
 *
 * @throws UsageError if the number of operations of the model is unknown
 */
double TrainingFlops(const ModelSpec& model);

/**
 * @brief Simulated duration of each node's local steps.
 *
 * The duration of a node's steps is multiplied by a constant factor. The factor is drawn once per
 * node, log-uniformly from [1, S], where S is the heterogeneity.
 */
class ComputeModel
{
  public:
    /**
     * @param nodeSeconds duration of a step at a factor of 1, in simulated seconds; 0 if steps are
     *        measured
     * @param heterogeneity S >= 1, the largest factor on the duration of a node's steps
     * @param seed seed of the run
     */
    ComputeModel(double nodeSeconds, double heterogeneity, RandomSeed seed);

    /// Factor on the duration of the steps of @p node, in [1, S]; constant during the run.
    double Factor(NodeId node) const;

    /// Simulated duration of a step of @p node, in seconds; 0 if steps are measured.
    double Seconds(NodeId node) const
    {
        return m_nodeSeconds * Factor(node);
    }

    /// Duration of a step of the slowest of the first @p nodes nodes, in seconds.
    double Slowest(std::size_t nodes) const;

  private:
    double m_nodeSeconds;   ///< duration of a step at a factor of 1, s
    double m_heterogeneity; ///< S >= 1: largest factor on the duration of a node's steps
    RandomSeed m_seed;      ///< seed of the run
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_COMPUTE_MODEL_H
