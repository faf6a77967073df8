// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_DEVICE_RUNNER_H
#define DPDL_TRAINING_DEVICE_RUNNER_H

#include "device-round.h"
#include "device-states.h"
#include "job-runner.h"

#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Runs jobs on a device: when a result is needed, all pending jobs run together.
 *
 * States stay on the device and are fetched only when the host reads them. In a steady round, only
 * losses, norms and mixing errors are transferred. The host draws batches as the workers do, and
 * the noise uses the same streams. Times are measured on the host: asynchronous work of the device
 * counts where the host waits for it.
 */
class DeviceRunner : public JobRunner
{
  public:
    /**
     * @param supplies model, data and pool
     * @param seed of the noise, which is `philox`
     * @param executor of the device
     * @throws UsageError if the model is not a chain of layers, or the noise is not `philox`
     */
    DeviceRunner(const RunnerSupplies& supplies,
                 RandomSeed seed,
                 std::shared_ptr<cuda::DeviceExecutor> executor);

    void Submit(std::shared_ptr<NodeJob> job) override;
    void Withdraw(const std::shared_ptr<NodeJob>& job) override;
    void Finish(const std::shared_ptr<NodeJob>& job) override;

    void FinishAll() override
    {
        RunPending();
    }

    Evaluation EvaluateModel(const float* parameters, std::size_t examples) override;
    std::optional<MeanEvaluation> EvaluateMean(const std::vector<ParameterHandle>& models,
                                               std::size_t examples) override;

    std::string Device() const override
    {
        return m_executor->Name();
    }

    TimeBreakdown Work() const override
    {
        return SharesOf(m_seconds);
    }

  private:
    using Jobs = std::vector<std::shared_ptr<NodeJob>>;

    /// Jobs that compute together, in a block of states.
    struct Group
    {
        /// Jobs of the group, one per row of the block.
        Jobs jobs;
        /// Steps of the jobs, one per row of the block.
        const DeviceStep* steps;
        std::shared_ptr<DeviceStates::Block> states; ///< states of the jobs
        float* rows{nullptr};                        ///< first value of the block
        /// True: some job of the group mixes its state.
        bool isMixed{false};
        /// True: all states are equal, as in round 0.
        bool areEqual{false};
        /// Evaluated in place of states, if any job averages.
        std::shared_ptr<DeviceStates::Block> averages{};
    };

    void RunPending();
    void Run(const Jobs& jobs, std::size_t first, std::size_t count);
    void DrawBatches(const Jobs& jobs);
    void Mix(Group& group);
    void BindStates(Group& group);
    void Average(Group& group);
    void Evaluate(Group& group);
    void Copy(Group& group);
    void Step(Group& group);
    Release Record(const DeviceStep& step, NodeJob& job) const;
    std::size_t RowBytes() const;

    const RunnerSupplies m_supplies;                        ///< shared with the backend
    const RandomSeed m_seed;                                ///< seed of the noise
    const std::shared_ptr<cuda::DeviceExecutor> m_executor; ///< launches kernels on the device
    DeviceStates m_states;                                  ///< memory of the nodes' states
    DeviceMix m_mix;                                        ///< terms of the last group of jobs
    DeviceMixer m_mixer;                                    ///< mixes z^k
    DeviceMix m_averages;            ///< terms of the last group of jobs that averages iterates
    DeviceMixer m_averager;          ///< means of z^k over rounds
    DeviceRound m_round;             ///< computes z^{k+1/2}
    Jobs m_pending;                  ///< pending jobs, in the order of submission
    std::vector<DeviceStep> m_steps; ///< steps of the pending jobs
    std::size_t m_largestBatch{0};   ///< largest batch so far
    std::size_t m_nodesAtOnce{1};    ///< nodes that fit, with such batches
    TimeBreakdown m_seconds;         ///< time by activity, s
};

/**
 * @brief Checks that a device can run a model and a noise source.
 * @param supplies model and noise source of a run
 * @return the model
 * @throws UsageError if the model is not a chain of layers, or the noise is not `philox`
 */
const ModelSpec& ModelOnDevice(const RunnerSupplies& supplies);

/**
 * @brief Reason why a job cannot run on a device.
 * @param job to be run
 * @return empty if it can
 */
std::string WhyNotOnDevice(const NodeJob& job);

} // namespace dpdl

#endif // DPDL_TRAINING_DEVICE_RUNNER_H
