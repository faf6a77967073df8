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
 * objectives, gradient norms and rounding errors of mixing are transferred. The host draws the same
 * batches as a WorkerRunner, and the noise has the same random streams. Times are measured on the
 * host: asynchronous work of the device counts for the activity in which the host waits for it.
 */
class DeviceRunner : public JobRunner
{
  public:
    /**
     * @param supplies model, data, noise source and pool
     * @param seed seed and run number of the noise streams
     * @param executor executor of the device
     * @param engine engine of DeviceRound; null: the model is a chain of layers
     * @throws UsageError if there is no engine and the model is not a chain of layers, or the noise
     *         is not `philox`
     */
    DeviceRunner(const RunnerSupplies& supplies,
                 RandomSeed seed,
                 std::shared_ptr<cuda::DeviceExecutor> executor,
                 std::unique_ptr<GradientEngine> engine = nullptr);

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

    /// Jobs that compute together. Row i of the group's block of states belongs to job i.
    struct Group
    {
        /// [rows] jobs of the group.
        Jobs jobs;
        /// [rows] steps of the jobs.
        const DeviceStep* steps;
        std::shared_ptr<DeviceStates::Block> states; ///< block of the jobs' states
        float* rows{nullptr};                        ///< address of the block's first value, in
                                                     ///< device memory
        /// True: at least one job of the group mixes its state.
        bool isMixed{false};
        /// True: all jobs start from equal states, as in round 0.
        bool areEqual{false};
        /// Means of the iterates, one row per job; null if no job averages. Evaluations use the
        /// means, not the states.
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

    const RunnerSupplies m_supplies; ///< model, data, noise source and pool
    const RandomSeed m_seed;         ///< seed and run number of the noise streams
    const std::shared_ptr<cuda::DeviceExecutor> m_executor; ///< launches kernels on the device
    DeviceStates m_states;                                  ///< memory of the nodes' states
    DeviceMix m_mix;                                        ///< mixing matrix of the last group of
                                                            ///< jobs
    DeviceMixer m_mixer;                                    ///< computes the mixed states z^k
    DeviceMix m_averages;            ///< coefficients of the iterates in the last group that
                                     ///< averages them
    DeviceMixer m_averager;          ///< means of z^k over rounds
    const bool m_hasFloatSums;       ///< true: gradients are summed in float32
    DeviceRound m_round;             ///< computes the steps from z^k to z^{k+1/2}
    Jobs m_pending;                  ///< pending jobs, in the order of submission
    std::vector<DeviceStep> m_steps; ///< steps of the pending jobs
    std::size_t m_largestBatch{0};   ///< size of the largest batch so far
    /// Number of nodes that fit into one step, if their batches have m_largestBatch examples.
    std::size_t m_nodesAtOnce{1};
    TimeBreakdown m_seconds; ///< time by activity, s
};

/**
 * @brief Reason why a job cannot run on a device.
 * @param job job to run
 * @return the reason in words; empty if the job can run
 */
std::string WhyNotOnDevice(const NodeJob& job);

} // namespace dpdl

#endif // DPDL_TRAINING_DEVICE_RUNNER_H
