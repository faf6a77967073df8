// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_WORKER_CONTEXT_H
#define DPDL_TRAINING_WORKER_CONTEXT_H

#include "dpdl/training/local-step.h"
#include "float-buffer.h"
#include "job-runner.h"

#include <array>
#include <memory>
#include <optional>
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
     * @brief Does all that a job says.
     * @param job whose fields nobody else touches
     * @param[in,out] seconds get the time that it took
     */
    void Do(NodeJob& job, TimeBreakdown& seconds);

    /// Parts that the test split is evaluated in.
    std::size_t EvaluationBlocks() const;

    /// Evaluates a part. @param parameters [ParameterCount()] @param block below EvaluationBlocks()
    Evaluation EvaluateBlock(const float* parameters, std::size_t block);

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
    void Record(const BoundedSum& sum, const NoiseScale& scale, Round number, NodeJob& job) const;
    bool IsDrawn(const Batch& batch) const;
    BoundedSum::Fields Bounded(const ClipRule& rule);
    float* KeptNoise(NodeJob& job, std::uint32_t iteration) const;

    RunnerSupplies m_supplies;                                     ///< shared by all contexts
    std::unique_ptr<GradientEngine> m_engine;                      ///< see Engine()
    std::array<std::unique_ptr<FloatBuffer>, SCRATCH> m_scratches; ///< made when first asked for
    std::vector<std::uint32_t> m_batch;                            ///< drawn last
    std::optional<Round> m_draw;    ///< number of the draw of m_batch, for the job in work
    AlignedBuffer<double> m_sum;    ///< [d] the last BoundedSum
    std::vector<double> m_noisySum; ///< [d] with noise, before it is rounded
    FloatBuffer m_noisy;            ///< [d] the last noisy sum
};

} // namespace dpdl

#endif // DPDL_TRAINING_WORKER_CONTEXT_H
