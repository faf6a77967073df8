// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_STEP_RUN_H
#define DPDL_TEST_STEP_RUN_H

#include "blob-model.h"
#include "dpdl/algorithm/learner.h"
#include "gossip-network.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Two nodes that learn with an algorithm and average after every round, and what it takes to
 *        compute the same in double precision. The model is DeepLinear().
 */
class StepRun
{
  public:
    using Vector = std::vector<double>;
    /// One node's step in double: from z^k to z^{k+1/2}.
    using ReferenceStep = std::function<void(NodeId node, Round round, Vector& z)>;

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

    /// The same by a step in double, with averages of the two nodes.
    std::vector<Vector> Replay(const ReferenceStep& step) const;

    const LearningPlan& Plan() const
    {
        return m_plan;
    }

    const ModelSpec& Model() const
    {
        return m_backend.Model();
    }

    /// The examples of a node's draw. @param number counts the draws of the run
    std::vector<std::uint32_t> BatchOf(NodeId node, Round number) const;

    /// The noise of a node's release, on the first coordinates. @param number counts the releases
    Vector NoiseOf(NodeId node, Round number, double deviation, std::size_t count) const;

    /// Sum over a batch of gradients, each shortened by @p clip.
    Vector Sum(const Vector& z,
               const std::vector<std::uint32_t>& batch,
               const std::function<void(Vector&)>& clip) const;

    /// Fraction of test images that node 0's model classifies correctly.
    double Accuracy();

    /// z <- z - step (gradient + noise).
    static void AddStep(Vector& z, double step, const Vector& gradient, const Vector& noise);

    /// L2 distance of node 0's shared coordinates to those of another run.
    double SharedDistanceTo(const StepRun& other) const;

    /// The largest distance to a replay, relative to its largest value.
    double DistanceTo(const std::vector<Vector>& replay) const;

    /// g <- g min(1, C / |g|) over the coordinates begin..end-1.
    static void Clip(Vector& gradient, double bound, std::size_t begin, std::size_t end);

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
