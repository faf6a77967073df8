// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_STEP_RUN_H
#define DPDL_TEST_STEP_RUN_H

#include "blob-model.h"
#include "dpdl/algorithm/learner.h"
#include "gossip-network.h"

#include <memory>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Two nodes that learn with an algorithm and average after every round. The model is
 *        DeepLinear().
 */
class StepRun
{
  public:
    /// What to run.
    struct Settings
    {
        AlgorithmPreset preset;
        Round rounds{6};
        std::size_t batch{4};
        std::string sampler{"poisson"};
        bool noise{true};
        double epsilon{4.0};
        std::uint32_t pictures{0}; ///< other numbers, other pictures
    };

    explicit StepRun(const Settings& settings);

    /// Runs all rounds. @return z of both nodes
    const std::vector<std::vector<float>>& Run();

    const LearningPlan& Plan() const
    {
        return m_plan;
    }

    const ModelSpec& Model() const
    {
        return m_backend.Model();
    }

    /// Fraction of test images that node 0's model classifies correctly.
    double Accuracy();

    /// L2 distance of node 0's shared coordinates to those of another run.
    double SharedDistanceTo(const StepRun& other) const;

    static constexpr std::size_t NODES = 2;
    static constexpr std::size_t LOCAL = 20;
    static constexpr RandomSeed SEED{5, 3};

  private:
    LearningPlan MakePlan() const;
    std::size_t SharedEnd() const;

    Settings m_settings;
    std::shared_ptr<const GraphSequence> m_graph;
    std::shared_ptr<const Sampler> m_sampler;
    std::shared_ptr<const Dataset> m_images;
    Partition m_partition;
    MassLedger m_ledger;
    TrainingBackend m_backend;
    LearningPlan m_plan;
    CountingObserver m_observer;
    LearnerContext m_context;
    std::vector<std::vector<float>> m_states;
};

} // namespace dpdl

#endif // DPDL_TEST_STEP_RUN_H
