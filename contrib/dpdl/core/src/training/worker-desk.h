// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_WORKER_DESK_H
#define DPDL_TRAINING_WORKER_DESK_H

#include "dpdl/training/local-step.h"
#include "float-buffer.h"
#include "job-runner.h"

#include <array>
#include <memory>
#include <vector>

namespace dpdl
{

/// The desk of one worker.
class WorkerDesk : public StepDesk
{
  public:
    /**
     * @param supplies shared by all desks
     * @param engine for this worker alone
     */
    WorkerDesk(const RunnerSupplies& supplies, std::unique_ptr<GradientEngine> engine);

    /**
     * @brief Does all that a job says.
     * @param job whose fields nobody else touches
     * @param[in,out] seconds get the time that it took
     */
    void Do(NodeJob& job, WorkShares& seconds);

    /// Parts that the test split is evaluated in.
    std::size_t EvaluationBlocks() const;

    /// Evaluates a part. @param parameters [ParameterCount()] @param block below EvaluationBlocks()
    Evaluation EvaluateBlock(const float* parameters, std::size_t block);

    const ModelSpec& Model() const override;
    GradientEngine& Engine() override;
    Batch Draw(const NodeJob& job, std::uint32_t iteration) override;
    float* Scratch(std::size_t index) override;
    void AddNoise(float* values,
                  std::size_t count,
                  const NoiseScale& scale,
                  NodeJob& job,
                  std::uint32_t iteration) override;
    void AddNoisyStep(double* gradient, NodeJob& job) override;

  private:
    void Mix(NodeJob& job) const;
    void Step(NodeJob& job);
    void DrawUnitNoise(NodeJob& job) const;
    float* KeptNoise(NodeJob& job, std::uint32_t iteration) const;

    RunnerSupplies m_supplies;                                     ///< shared by all desks
    std::unique_ptr<GradientEngine> m_engine;                      ///< see Engine()
    std::array<std::unique_ptr<FloatBuffer>, SCRATCH> m_scratches; ///< made when first asked for
    std::vector<std::uint32_t> m_batch;                            ///< drawn last
};

} // namespace dpdl

#endif // DPDL_TRAINING_WORKER_DESK_H
