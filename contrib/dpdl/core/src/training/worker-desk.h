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

    RunnerSupplies m_supplies;                                     ///< shared by all desks
    std::unique_ptr<GradientEngine> m_engine;                      ///< see Engine()
    std::array<std::unique_ptr<FloatBuffer>, SCRATCH> m_scratches; ///< made when first asked for
    std::vector<std::uint32_t> m_batch;                            ///< drawn last
};

} // namespace dpdl

#endif // DPDL_TRAINING_WORKER_DESK_H
