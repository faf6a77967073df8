// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_DEVICE_ROUND_H
#define DPDL_TRAINING_DEVICE_ROUND_H

#include "device-network.h"
#include "dpdl/data/dataset.h"
#include "dpdl/training/gradient-engine.h"

#include <map>
#include <utility>
#include <vector>

namespace dpdl
{

/// What one node does in a round on a device.
struct DeviceStep
{
    std::vector<std::uint32_t> examples{}; ///< of the training split; may be empty
    double clip{1.0};                      ///< bound of an example's gradient, above 0
    cuda::UpdateRule rule{};               ///< step size and noise; scale 0: the state stays
};

/**
 * @brief The local steps of many nodes on a device: gradients, clipping, noise and update in one
 *        set of launches, and the evaluation of their models.
 *
 * The examples lie on the device from the beginning. Batches are lists of indices that have places
 * to fill; a batch larger than the places makes room for more. What a step launches is recorded
 * once for each set of states and number of nodes, and replayed.
 */
class DeviceRound
{
  public:
    /**
     * @param model a chain of layers
     * @param dataset for these images
     * @param executor of the device; outlives the round
     * @throws cuda::DeviceError
     */
    DeviceRound(const ModelSpec& model, const Dataset& dataset, cuda::DeviceExecutor& executor);

    /**
     * @brief Number of nodes that fit into one step.
     * @param examples largest batch
     * @return at least 1
     */
    std::size_t NodesAtOnce(std::size_t examples) const;

    /**
     * @brief Makes room, so that no later step of this size or a smaller one has to.
     * @param nodes how many compute together
     * @param batch examples of the largest batch
     */
    void Prepare(std::size_t nodes, std::size_t batch);

    /**
     * @brief Takes the step of every node: z -= scale * (sum of clipped gradients + noise).
     * @param[in,out] states on the device, [nodes, d]
     * @param steps [nodes]
     * @param nodes how many, above 0
     * @return node by node; the sizes are those of the batches
     */
    std::vector<BatchResult> Step(float* states, const DeviceStep* steps, std::size_t nodes);

    /// Sums of the clipped gradients of the last step, on the device: [nodes, d].
    const float* Sums() const;

    /**
     * @brief Evaluates models on the whole test split.
     * @param states on the device, [nodes, d]
     * @param nodes how many, above 0
     */
    std::vector<Evaluation> Evaluate(const float* states, std::size_t nodes);

  private:
    /// A split on the device.
    struct ResidentSplit
    {
        cuda::DeviceArray<std::uint8_t> pixels; ///< [size, channels, height, width]
        cuda::DeviceArray<double> labels;       ///< [size]
    };

    /// A step on some states.
    struct RecordedStep
    {
        bool warm{false};                                 ///< done once without being recorded
        std::unique_ptr<cuda::DeviceRecording> recording; ///< null until the second time
    };

    ResidentSplit Send(const Split& split);
    void Reserve(std::size_t nodes, std::size_t examples);
    DevicePass Pass(const float* states, std::size_t nodes, std::size_t places);
    void SendTestImages(const DevicePass& pass, std::size_t first);
    cuda::ExampleFigures Figures(const DevicePass& pass) const;
    void SendSteps(const DeviceStep* steps, std::size_t nodes);
    void Score(const DevicePass& pass, const ResidentSplit& split, float* gradients);
    void Launch(float* states, std::size_t nodes);
    void DoOrReplay(float* states, std::size_t nodes);
    std::vector<double> Totals(std::size_t arrays, std::size_t nodes) const;

    cuda::DeviceExecutor& m_executor; ///< of the device
    DeviceNetwork m_network;          ///< layers
    ImageShape m_image;               ///< of one example
    std::size_t m_parameters;         ///< d
    std::size_t m_classes;            ///< number of logits
    double m_tolerance;               ///< see cuda::ScoreExamples
    ResidentSplit m_train;            ///< what is learnt from
    ResidentSplit m_test;             ///< what is evaluated
    std::size_t m_testSize;           ///< how many examples that are
    std::size_t m_nodes{0};           ///< nodes that there is room for
    std::size_t m_room{0};            ///< examples of all nodes that there is room for
    std::size_t m_places{0};          ///< places of each node's batch

    cuda::DeviceArray<std::uint32_t> m_examples; ///< [room]
    cuda::DeviceArray<double> m_clip;            ///< [nodes]
    cuda::DeviceArray<cuda::UpdateRule> m_rules; ///< [nodes]
    cuda::DeviceArray<double> m_squares;         ///< [2, room]
    cuda::DeviceArray<float> m_factors;          ///< [room]
    cuda::DeviceArray<float> m_sums;             ///< [nodes, d]
    cuda::DeviceArray<double> m_figures;         ///< [ExampleFigures::ARRAYS, room]
    cuda::DeviceArray<double> m_totals;          ///< [ExampleFigures::ARRAYS, nodes]

    std::vector<std::uint32_t> m_hostExamples; ///< [nodes, places] before they are sent
    std::vector<double> m_hostClip;            ///< [nodes]
    std::vector<cuda::UpdateRule> m_hostRules; ///< [nodes]
    std::map<std::pair<float*, std::size_t>, RecordedStep> m_recorded; ///< by states and nodes
};

} // namespace dpdl

#endif // DPDL_TRAINING_DEVICE_ROUND_H
