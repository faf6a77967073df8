// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "baseline.h"
#include "built-in-algorithms.h"
#include "dpdl/training/local-step.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

// FedDPA selects personal coordinates, which stay local, by Fisher information. The node releases
// the update of the shared coordinates, clipped as a whole.

namespace dpdl
{

namespace
{

/// Hyper-parameters of a FisherStep, with the local model y and the received model z.
struct FisherStepOptions
{
    /// Threshold in [0, 1]. A coordinate is personal if its Fisher information, scaled to [0, 1],
    /// is above the threshold; 1: no coordinate is personal.
    double threshold{0.4};
    /// lambda_1 >= 0: coefficient of the gradient term that pulls the personal coordinates of y to
    /// z.
    double personalPull{0.1};
    /// lambda_2 >= 0: coefficient of the gradient term that pulls the shared coordinates of y. The
    /// term keeps the sum over the tensors of |y - z| near stepSize * clip.
    double sharedPull{0.05};
    std::uint32_t passes{2}; ///< number of gradient steps of y on the round's batch, at least 1
};

/// [tensors] L2 distance |y - z| of each parameter tensor of a model.
std::vector<double>
Distances(const ModelSpec& model, const float* y, const float* z)
{
    std::vector<double> distances;
    for (const ParameterTensor& tensor : model.Parameters())
    {
        double square = 0.0;
        for (std::size_t i = tensor.offset; i < tensor.offset + tensor.size; ++i)
        {
            const double difference = static_cast<double>(y[i]) - z[i];
            square += difference * difference;
        }
        distances.push_back(std::sqrt(square));
    }
    return distances;
}

/// Sets the mask of one tensor: 1 at coordinates whose value, scaled to [0, 1] over the tensor, is
/// above @p threshold; else 0. If all values of the tensor are equal, the mask is 0.
void
MarkHigh(const ParameterTensor& tensor, const float* values, double threshold, float* mask)
{
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::size_t i = tensor.offset; i < tensor.offset + tensor.size; ++i)
    {
        low = std::min<double>(low, values[i]);
        high = std::max<double>(high, values[i]);
    }
    for (std::size_t i = tensor.offset; i < tensor.offset + tensor.size; ++i)
    {
        mask[i] = (values[i] - low) / (high - low) > threshold ? 1.0F : 0.0F;
    }
}

/**
 * @brief Each node keeps local the coordinates that are most specific to its data (Yang, Huang and
 *        Ye, NeurIPS 2023, FedDPA).
 *
 * The local model y takes the values of the received z at coordinates that are not personal, then
 * takes gradient steps without clipping or noise. The diagonal of the Fisher information at y on
 * the batch, scaled to [0, 1] in each tensor, then selects the next personal coordinates. The node
 * releases z - stepSize * (c((z - y) / stepSize) + N). y and the mask depend on raw data, but reach
 * other nodes only through c, whose value is in a ball of radius clip.
 */
class FisherStep : public LocalStep
{
  public:
    explicit FisherStep(const FisherStepOptions& options)
        : m_options(options)
    {
    }

    /// Number of vectors that the step keeps between rounds: y, and the mask, which is 1 at
    /// personal coordinates and 0 elsewhere.
    std::size_t MemoryVectors() const override
    {
        return 2;
    }

    void Run(StepContext& context, NodeJob& job) const override
    {
        const LocalUpdate& update = job.update;
        const float* z = job.state->Data();
        float* y = job.memory[0]->Data();
        const float* mask = job.memory[1]->Data();
        const std::size_t size = job.state->Size();
        for (std::size_t i = 0; i < size; ++i)
        {
            y[i] = mask[i] > 0.0F ? y[i] : z[i];
        }
        const Batch batch = context.Draw(job, 0);
        float* gradient = context.Scratch(0);
        for (std::uint32_t pass = 0; pass < m_options.passes; ++pass)
        {
            job.batch += context.GradientSum(y, batch, gradient);
            Train(context.Model(), job, gradient);
        }
        Personalise(context, batch, job);
        for (std::size_t i = 0; i < size; ++i)
        {
            gradient[i] = static_cast<float>((static_cast<double>(z[i]) - y[i]) / update.stepSize);
        }
        ReleaseMean(context, job, size, gradient);
    }

  private:
    /// One gradient step of y. Also pulls personal coordinates to z, and moves the shared
    /// coordinates until the sum over the tensors of |y - z| is near stepSize * clip.
    void Train(const ModelSpec& model, const NodeJob& job, const float* gradient) const
    {
        const LocalUpdate& update = job.update;
        const float* z = job.state->Data();
        float* y = job.memory[0]->Data();
        const float* mask = job.memory[1]->Data();
        const std::vector<double> distances = Distances(model, y, z);
        const double excess =
            std::accumulate(distances.begin(), distances.end(), -update.stepSize * update.clip);
        const double sign = excess > 0.0 ? 1.0 : excess < 0.0 ? -1.0 : 0.0;
        for (std::size_t t = 0; t < distances.size(); ++t)
        {
            const ParameterTensor& tensor = model.Parameters()[t];
            const double inverse = distances[t] > 0.0 ? 0.5 / distances[t] : 0.0;
            for (std::size_t i = tensor.offset; i < tensor.offset + tensor.size; ++i)
            {
                const bool isPersonal = mask[i] > 0.0F;
                const double pull =
                    isPersonal ? m_options.personalPull : sign * m_options.sharedPull;
                const double slope = gradient[i] / update.divisor +
                                     pull * inverse * (static_cast<double>(y[i]) - z[i]);
                y[i] -= static_cast<float>(update.stepSize * slope);
            }
        }
    }

    /// Selects the personal coordinates of the next round by the Fisher information on the batch.
    void Personalise(StepContext& context, const Batch& batch, const NodeJob& job) const
    {
        const std::size_t size = job.state->Size();
        float* fisher = context.Scratch(1);
        float* gradient = context.Scratch(2);
        std::fill_n(fisher, size, 0.0F);
        for (std::size_t j = 0; j < batch.size; ++j)
        {
            const Batch one = batch.Part(j, 1);
            context.GradientSum(job.memory[0]->Data(), one, gradient);
            for (std::size_t i = 0; i < size; ++i)
            {
                fisher[i] += gradient[i] * gradient[i];
            }
        }
        for (const ParameterTensor& tensor : context.Model().Parameters())
        {
            MarkHigh(tensor, fisher, m_options.threshold, job.memory[1]->Data());
        }
    }

    FisherStepOptions m_options; ///< threshold, pulls and number of passes
};

} // namespace

void
AddFedDpa(Registry<Algorithm>& registry)
{
    AddAlgorithm(
        registry,
        {"fed-dpa",
         "coordinates of high Fisher information stay personal; updates are clipped as a whole",
         "Yang, Huang and Ye, NeurIPS 2023 (FedDPA); re-implementation",
         {{"certified",
           "",
           "everything that others see, for all of a node's data at once (joint privacy)"},
          {"evidence",
           "",
           "authors' code; plain steps on one batch, Fisher information of the batch, and gossip "
           "in place of the server are choices"}}},
        {{{{"threshold", 0.4, 0.0, 1.0, "scaled Fisher information above which is personal"},
           {"lambda1", 0.1, 0.0, 1e6, "pull of personal coordinates to the mixed model"},
           {"lambda2", 0.05, 0.0, 1e6, "pull of the others to the clip bound's distance"},
           {"passes", 2.0, 1.0, 1000.0, "gradient steps on the round's batch", true}}},
         [](const HyperParameters& hyper) {
             AlgorithmPreset preset = WholeUpdatePreset(0.5, 1.0);
             FisherStepOptions options;
             options.threshold = hyper["threshold"];
             options.personalPull = hyper["lambda1"];
             options.sharedPull = hyper["lambda2"];
             options.passes = hyper.Whole("passes");
             preset.step = std::make_shared<FisherStep>(options);
             return preset;
         }});
}

} // namespace dpdl
