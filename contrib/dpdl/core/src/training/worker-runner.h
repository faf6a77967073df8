// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_WORKER_RUNNER_H
#define DPDL_TRAINING_WORKER_RUNNER_H

#include "dpdl/training/round-mix.h"
#include "job-runner.h"
#include "worker-context.h"
#include "worker-pool.h"

#include <mutex>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Runs jobs on the cores of this machine.
 *
 * Each job runs from beginning to end on one worker, with one BLAS thread. Workers other than the
 * calling thread begin as soon as there is a job; the calling thread works while it waits.
 */
class WorkerRunner : public JobRunner
{
  public:
    /**
     * @param supplies shared by all workers
     * @param engine a name of GradientEngines()
     * @param workers number of threads; 0: one for each core; 1: only the caller's
     * @throws UsageError if the engine is unknown
     */
    WorkerRunner(const RunnerSupplies& supplies, const std::string& engine, unsigned workers);

    void Submit(std::shared_ptr<NodeJob> job) override;
    void Hold() override;
    void Release() override;
    void Withdraw(const std::shared_ptr<NodeJob>& job) override;
    void Finish(const std::shared_ptr<NodeJob>& job) override;
    void FinishAll() override;
    std::size_t Pending() const override;
    Evaluation EvaluateModel(const float* parameters) override;
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
    std::vector<WorkerContext> m_contexts;          ///< by worker
    bool m_isHeld{false};                           ///< between Hold() and Release()
    std::vector<std::shared_ptr<NodeJob>> m_held;   ///< submitted meanwhile
    std::vector<MixRow> m_rows;                     ///< what they mix
    RoundMix m_mix;                                 ///< mixes them
    mutable std::mutex m_mutex;                     ///< guards what follows, up to the workers
    TimeBreakdown m_seconds;                        ///< of all workers, in s
    std::vector<std::shared_ptr<NodeJob>> m_failed; ///< those whose failure nobody has seen
    WorkerPool m_workers;                           ///< last: they use all of the above
};

} // namespace dpdl

#endif // DPDL_TRAINING_WORKER_RUNNER_H
