// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BENCH_NODE_WORK_H
#define DPDL_BENCH_NODE_WORK_H

#include "dpdl/training/local-step.h"
#include "dpdl/training/training-backend.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace dpdl
{

/// Random images: what is in them does not matter for the time.
std::shared_ptr<const Dataset> MakeRandomImages(std::size_t count, ImageShape shape);

/// The images that a benchmark gives to a model of that name: 3 x 32 x 32 or 1 x 28 x 28.
ImageShape BenchImage(const std::string& model);

/// A model as the benchmarks have it, for ten classes.
ModelSpec BenchModel(const std::string& model);

/// What is bounded in a step.
enum class Clipping
{
    EXAMPLE, ///< the gradient of each example: private learning
    BATCH,   ///< the sum of the batch, without privacy
};

/// Nodes that learn from random images, as TrainingBackend has it: draw, gradient, noise, update.
class NodeWork
{
  public:
    /// Who computes what.
    struct Options
    {
        std::string model;                    ///< a name of `list models`
        std::string engine{"auto"};           ///< a name of GradientEngines()
        std::size_t nodes{1};                 ///< how many
        std::size_t batch{64};                ///< examples of a batch, of a fixed number
        unsigned workers{1};                  ///< threads; 0: one for each core
        Clipping clipping{Clipping::EXAMPLE}; ///< what is bounded
        std::string device{"cpu"};            ///< cpu or cuda
        double stepSize{0.1};                 ///< of the step on the mean
    };

    /// @param options who computes what
    explicit NodeWork(const Options& options);

    /// One step of every node, which mixes nothing.
    void Step();

    /// One round: every node takes the mean of itself and the next node, then a step.
    void Round();

    /// Parameters of a node now.
    const ParameterVector& State(std::size_t node) const;

    /// What computes.
    const TrainingBackend& Backend() const;

  private:
    std::shared_ptr<NodeJob> MakeJob(NodeId node) const;

    Options m_options;                            ///< who computes what
    std::unique_ptr<TrainingBackend> m_backend;   ///< what computes
    std::unique_ptr<const LocalStep> m_batchStep; ///< the step that clips the batch
    std::vector<ParameterHandle> m_states;        ///< by node
    std::vector<ParameterHandle> m_next;          ///< by node, while a round runs
    dpdl::Round m_round{0};                       ///< rounds done
};

} // namespace dpdl

#endif // DPDL_BENCH_NODE_WORK_H
