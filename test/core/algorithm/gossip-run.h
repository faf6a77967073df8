// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_GOSSIP_RUN_H
#define DPDL_TEST_GOSSIP_RUN_H

#include "dpdl/algorithm/learner.h"
#include "gossip-network.h"

#include <functional>
#include <memory>
#include <vector>

namespace dpdl
{

/// Learners without training on a network that a test controls share by share.
class GossipRun
{
  public:
    using Network = std::function<Fate(const Share&)>;

    GossipRun(std::shared_ptr<const GraphSequence> graph, Round rounds, LossPolicy policy);

    /// Node i starts with the vector number names[i].
    void Start(const std::vector<NodeId>& names);

    /// One synchronous round. @param arrange may reorder the shares before they arrive
    void Step(const Network& network = {},
              const std::function<void(std::vector<Share>&)>& arrange = {});

    /// z of every node after the last round.
    std::vector<std::vector<float>> Finish();

    /// Mean over the nodes of what they started with, in double.
    std::vector<double> InitialMean() const;

    Learner& At(NodeId node)
    {
        return *m_learners[node];
    }

    const MassLedger& Mass() const
    {
        return m_ledger;
    }

    const CountingObserver& Counts() const
    {
        return m_observer;
    }

    /// Largest distance of any node's z to @p expected, relative to the latter's largest value.
    static double Distance(const std::vector<std::vector<float>>& states,
                           const std::vector<double>& expected);

  private:
    static ModelSpec TinyModel();

    static std::shared_ptr<const Dataset> TinyImages();

    Partition TinyPartition() const
    {
        return Partition(m_graph->Nodes(), {0});
    }

    static LearningPlan TinyPlan(Round rounds);

    std::shared_ptr<const GraphSequence> m_graph;
    MassLedger m_ledger;
    TrainingBackend m_backend;
    LearningPlan m_plan;
    CountingObserver m_observer;
    LearnerContext m_context;
    std::vector<std::vector<float>> m_initial;
    std::vector<std::unique_ptr<Learner>> m_learners;
    std::vector<Share> m_held;
};

} // namespace dpdl

#endif // DPDL_TEST_GOSSIP_RUN_H
