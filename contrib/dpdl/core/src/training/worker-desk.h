// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_WORKER_DESK_H
#define DPDL_TRAINING_WORKER_DESK_H

#include "dpdl/data/partition.h"
#include "dpdl/data/sampler.h"
#include "dpdl/training/local-step.h"
#include "float-buffer.h"

#include <array>
#include <memory>
#include <vector>

namespace dpdl
{

/// What the desks of all workers have in common. The pointers outlive the desks.
struct DeskSupplies
{
    const ModelSpec* model{nullptr};     ///< what is learnt
    const Split* train{nullptr};         ///< what it is learnt from
    const Partition* partition{nullptr}; ///< who owns which example
    const Sampler* sampler{nullptr};     ///< draws the batches
    const NoiseSource* noise{nullptr};   ///< adds noise
    ParameterPool* pool{nullptr};        ///< where copies of noise are kept
};

/// The desk of one worker.
class WorkerDesk : public StepDesk
{
  public:
    /**
     * @param supplies shared by all desks
     * @param engine for this worker alone
     */
    WorkerDesk(const DeskSupplies& supplies, std::unique_ptr<GradientEngine> engine);

    const ModelSpec& Model() const override;
    GradientEngine& Engine() override;
    Batch Draw(const NodeJob& job, std::uint32_t iteration) override;
    float* Scratch(std::size_t index) override;
    void AddNoise(float* values,
                  std::size_t count,
                  const NoiseScale& scale,
                  NodeJob& job,
                  std::uint32_t iteration) override;

  private:
    float* KeptNoise(NodeJob& job, std::uint32_t iteration) const;

    DeskSupplies m_supplies;                                       ///< shared by all desks
    std::unique_ptr<GradientEngine> m_engine;                      ///< see Engine()
    std::array<std::unique_ptr<FloatBuffer>, SCRATCH> m_scratches; ///< made when first asked for
    std::vector<std::uint32_t> m_batch;                            ///< drawn last
};

} // namespace dpdl

#endif // DPDL_TRAINING_WORKER_DESK_H
