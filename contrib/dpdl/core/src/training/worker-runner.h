// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_WORKER_RUNNER_H
#define DPDL_TRAINING_WORKER_RUNNER_H

#include "dpdl/training/local-step.h"
#include "dpdl/training/round-mix.h"
#include "float-buffer.h"
#include "job-runner.h"
#include "worker-pool.h"

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

/// The context of one worker.
class WorkerContext : public StepContext
{
  public:
    /**
     * @param supplies shared by all contexts
     * @param engine for this worker alone
     */
    WorkerContext(const RunnerSupplies& supplies, std::unique_ptr<GradientEngine> engine);

    /**
     * @brief Runs all parts of a job: mix, evaluate, step, compress.
     * @param job that no other thread accesses
     * @param[in,out] seconds the run time is added to them
     */
    void Do(NodeJob& job, TimeBreakdown& seconds);

    /// Number of blocks of the first @p examples test examples.
    std::size_t EvaluationBlocks(std::size_t examples) const;

    /**
     * @brief Evaluates one block of the first @p examples test examples.
     * @param parameters [ParameterCount()]
     * @param examples number of test examples; at most the whole split is used
     * @param block below EvaluationBlocks(examples)
     */
    Evaluation EvaluateBlock(const float* parameters, std::size_t examples, std::size_t block);

    const ModelSpec& Model() const override;
    Batch Draw(const NodeJob& job, std::uint32_t iteration) override;
    float* Scratch(std::size_t index) override;
    BatchResult GradientSum(const float* at, const Batch& batch, float* sum) override;
    BoundedSum ClippedSum(NodeJob& job,
                          const Batch& batch,
                          const float* at,
                          const ClipRule& rule) override;
    BoundedSum ClipMean(const ClipRule& rule, float* mean, ClipOutcome* outcome) override;
    float* AddNoise(const BoundedSum& sum,
                    NodeJob& job,
                    std::uint32_t iteration,
                    double multiple) override;
    void AddNoisyStep(const BoundedSum& sum, NodeJob& job) override;

  private:
    void Mix(NodeJob& job) const;
    void Step(NodeJob& job);
    void DrawUnitNoise(NodeJob& job) const;
    static void WriteLie(NodeJob& job);
    static void Compress(NodeJob& job);
    void Record(const BoundedSum& sum, const NoiseScale& scale, Round number, NodeJob& job) const;
    bool IsDrawn(const Batch& batch) const;
    BoundedSum::Fields Bounded(const ClipRule& rule);
    float* KeptNoise(NodeJob& job, std::uint32_t iteration) const;

    RunnerSupplies m_supplies;                                     ///< shared by all contexts
    std::unique_ptr<GradientEngine> m_engine;                      ///< see Engine()
    std::array<std::unique_ptr<FloatBuffer>, SCRATCH> m_scratches; ///< allocated on first use
    std::vector<std::uint32_t> m_batch;                            ///< last drawn batch
    std::optional<Round> m_draw;    ///< draw number of m_batch, for the running job
    AlignedBuffer<double> m_sum;    ///< [d] values of the last BoundedSum
    std::vector<double> m_noisySum; ///< [d] with noise, before it is rounded
    FloatBuffer m_noisy;            ///< [d] the last noisy sum
};

/**
 * @brief Runs jobs on the cores of this machine.
 *
 * Each job runs completely on one worker, with one BLAS thread. Other workers start a job as soon
 * as it is submitted; the calling thread runs jobs while it waits.
 */
class WorkerRunner : public JobRunner
{
  public:
    /**
     * @param supplies shared by all workers
     * @param engine a name of GradientEngines()
     * @param workers number of threads; 0: one per core; 1: only the caller's
     * @throws UsageError if the engine is unknown
     */
    WorkerRunner(const RunnerSupplies& supplies, const std::string& engine, unsigned workers);

    void Submit(std::shared_ptr<NodeJob> job) override;
    void BeginBatch() override;
    void EndBatch() override;
    void Withdraw(const std::shared_ptr<NodeJob>& job) override;
    void Finish(const std::shared_ptr<NodeJob>& job) override;
    void FinishAll() override;
    std::size_t Pending() const override;
    Evaluation EvaluateModel(const float* parameters, std::size_t examples) override;
    unsigned Workers() const override;
    std::string Device() const override;
    TimeBreakdown Work() const override;

  private:
    void Begin(std::shared_ptr<NodeJob> job);
    void MixHeld();
    void Do(unsigned worker, const std::shared_ptr<NodeJob>& job);
    void Forget(const std::shared_ptr<NodeJob>& job);
    void Count(const TimeBreakdown& seconds);

    const RunnerSupplies m_supplies;                ///< shared by all workers
    const std::string m_device;                     ///< see Device()
    std::vector<WorkerContext> m_contexts;          ///< by worker
    bool m_isBatch{false};                          ///< between BeginBatch() and EndBatch()
    std::vector<std::shared_ptr<NodeJob>> m_held;   ///< jobs submitted in between
    std::vector<MixRow> m_rows;                     ///< their mixes
    RoundMix m_mix;                                 ///< mixes them
    mutable std::mutex m_mutex;                     ///< guards m_seconds and m_failed
    TimeBreakdown m_seconds;                        ///< of all workers, in s
    std::vector<std::shared_ptr<NodeJob>> m_failed; ///< failed jobs that are not reported yet
    WorkerPool m_workers;                           ///< last: they use all of the above
};

} // namespace dpdl

#endif // DPDL_TRAINING_WORKER_RUNNER_H
