// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_DEVICE_ROUND_H
#define DPDL_TRAINING_DEVICE_ROUND_H

#include "device-network.h"
#include "dpdl/data/dataset.h"
#include "dpdl/training/gradient-engine.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace dpdl
{

/// Step of one node in a round on a device.
struct DeviceStep
{
    std::vector<std::uint32_t> examples{}; ///< [batch size] indices into the training split; may be
                                           ///< empty
    double clip{1.0};                      ///< clip norm of one example's gradient in L2, above 0
    /// Step size, noise standard deviation and random stream; `rule.scale` 0: the state is
    /// unchanged.
    cuda::UpdateRule rule{};
};

/**
 * @brief The local steps of many nodes on a device, and the evaluation of their models.
 *
 * All examples are on the device from the start. Batches are lists of indices, padded to the same
 * size for all nodes. A larger batch enlarges this size for all nodes. The launches of a step are
 * recorded once for each set of states and number of nodes, and replayed.
 */
class DeviceRound
{
  public:
    /**
     * @param model a chain of layers, or the model of the engine
     * @param dataset images of the size that the model expects; must outlive this object
     * @param executor executor of the device; must outlive this object
     * @param engine engine whose parameters and sums are in the executor's memory, and whose work
     *        and the executor's run in the order of the calls. Null: the model is a chain of layers
     * @throws UsageError if there is no engine and the features are not bytes
     * @throws cuda::DeviceError if memory runs out
     */
    DeviceRound(const ModelSpec& model,
                const Dataset& dataset,
                cuda::DeviceExecutor& executor,
                std::unique_ptr<GradientEngine> engine = nullptr);

    /**
     * @brief Number of nodes that can compute a step together in the device's free memory.
     * @param examples number of examples in the largest batch
     * @return at least 1
     */
    std::size_t NodesAtOnce(std::size_t examples) const;

    /**
     * @brief Allocates memory for steps with at most these numbers of nodes and examples.
     * @param nodes number of nodes that compute together
     * @param batch number of examples in the largest batch
     */
    void Prepare(std::size_t nodes, std::size_t batch);

    /**
     * @brief Takes the step of every node: z -= scale * (sum of clipped gradients + noise).
     * @param[in,out] states on the device, [nodes, d]
     * @param steps [nodes]
     * @param nodes number of nodes, above 0
     * @return [nodes] results; BatchResult::size is the batch size without padding
     */
    std::vector<BatchResult> Step(float* states, const DeviceStep* steps, std::size_t nodes);

    /// Sums of the clipped gradients of the last step, on the device: [nodes, d].
    const float* Sums() const
    {
        return m_sums.Data();
    }

    /**
     * @brief Evaluates models on the first test examples.
     * @param states on the device, [nodes, d]
     * @param nodes number of nodes, above 0
     * @param examples number of test examples; at most the whole split is used
     * @return [nodes] evaluations; the objective is NaN if a parameter is not finite, as in
     *        MarkDivergence()
     */
    std::vector<Evaluation> Evaluate(const float* states, std::size_t nodes, std::size_t examples);

  private:
    /// A split in device memory.
    struct ResidentSplit
    {
        cuda::DeviceArray<std::uint8_t> pixels; ///< [size, channels, height, width] pixels of all
                                                ///< examples
        cuda::DeviceArray<double> labels;       ///< [size] label of each example
    };

    /// Recording of a step, for one array of states and one number of nodes.
    struct RecordedStep
    {
        bool warm{false}; ///< true: the step has run once without recording
        /// Recorded step; null before the step runs a second time.
        std::unique_ptr<cuda::DeviceRecording> recording;
    };

    ResidentSplit Send(const Split& split);
    void Reserve(std::size_t nodes, std::size_t examples);
    DevicePass Pass(const float* states, std::size_t nodes, std::size_t places);
    void SendTestImages(const DevicePass& pass, std::size_t first, std::size_t end);
    cuda::ExampleFigures Figures(const DevicePass& pass) const;
    void SendSteps(const DeviceStep* steps, std::size_t nodes);
    std::vector<BatchResult> StepByEngine(float* states,
                                          const DeviceStep* steps,
                                          std::size_t nodes);
    void Score(const DevicePass& pass, const ResidentSplit& split, float* gradients);
    void Launch(float* states, std::size_t nodes);
    void DoOrReplay(float* states, std::size_t nodes);
    std::vector<double> Totals(std::size_t arrays, std::size_t nodes) const;

    const Dataset& m_dataset;                       ///< examples of training and evaluation
    cuda::DeviceExecutor& m_executor;               ///< launches kernels on the device
    const std::unique_ptr<GradientEngine> m_engine; ///< computes the sums; null: m_network does
    DeviceNetwork m_network;                        ///< layers of the model
    ImageShape m_image;                             ///< size of one example
    std::size_t m_parameters;                       ///< number of parameters d
    std::size_t m_classes;                          ///< number of logits per example
    double m_tolerance;      ///< largest absolute error of a correct regression output; below 0: a
                             ///< classification
    ResidentSplit m_train;   ///< training split in device memory
    ResidentSplit m_test;    ///< test split in device memory
    std::size_t m_nodes{0};  ///< largest number of nodes for which memory is allocated
    std::size_t m_room{0};   ///< number of examples of all nodes that fit into the next arrays
    std::size_t m_places{0}; ///< padded batch size of each node

    cuda::DeviceArray<std::uint32_t> m_examples; ///< [m_room] indices of the examples
    cuda::DeviceArray<double> m_clip;            ///< [nodes] clip norms of the last step
    /// [nodes] step size, noise standard deviation and random stream of the last step.
    cuda::DeviceArray<cuda::UpdateRule> m_rules;
    cuda::DeviceArray<float> m_factors; ///< [m_room] clip factors of the examples
    cuda::DeviceArray<float> m_sums;    ///< [nodes, d] sums of clipped gradients
    /// [d] Sum of one node's clipped gradients from m_engine, in double precision; the next node
    /// overwrites it. Empty without m_engine.
    cuda::DeviceArray<double> m_exact;
    /// [ExampleFigures::ARRAYS, m_room] results of each example.
    cuda::DeviceArray<double> m_figures;
    /// [ExampleFigures::ARRAYS, nodes] sums of the results over each node's examples. Evaluate()
    /// also stores squared norms of the states.
    cuda::DeviceArray<double> m_totals;

    cuda::DeviceArray<cuda::GradientPart> m_whole; ///< [1] the states of Evaluate(), as one part

    std::vector<std::uint32_t> m_hostExamples; ///< [nodes, padded batch size] values to upload to
                                               ///< m_examples
    std::vector<double> m_hostClip;            ///< [nodes] values to upload to m_clip
    std::vector<cuda::UpdateRule> m_hostRules; ///< [nodes] values to upload to m_rules
    /// Recorded steps, by address of the first state and number of nodes.
    std::map<std::pair<float*, std::size_t>, RecordedStep> m_recorded;
};

} // namespace dpdl

#endif // DPDL_TRAINING_DEVICE_ROUND_H
