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

/// Learners, by default without training, on a network that a test controls share by share.
class GossipRun
{
  public:
    using Network = std::function<Fate(const Share&)>;

    /**
     * @param chunk parameters in a chunk of what is shared; 0: it is not cut
     * @param shared parameters that are shared, of the 10 that the model has
     * @param tracks nodes push a tracker behind their models: 10 parameters more, all in two chunks
     */
    GossipRun(std::shared_ptr<const GraphSequence> graph,
              Round rounds,
              LossPolicy policy,
              std::size_t chunk = 0,
              std::size_t shared = 10,
              bool tracks = false);

    /// Every chunk goes to out-neighbours of its own.
    void Scatter()
    {
        m_context.chunksHaveOwnLinks = true;
    }

    /// Sets a node's push-sum weight before the first round.
    void SetWeight(NodeId node, double weight)
    {
        m_ledger.SetWeight(node, ScaledDouble(weight));
    }

    /// Shares are mixed by a rule.
    void MixBy(const MixRule& rule)
    {
        m_context.rule = rule;
    }

    /// Calls @p onStep with each local step.
    void Watch(std::function<void(const NodeJob&)> onStep)
    {
        m_observer.onStep = std::move(onStep);
    }

    /// The links and what they owe.
    const PushSumContext& Context() const
    {
        return m_context;
    }

    /// The nodes learn, without noise, from one example that all of them own.
    void Train(const AlgorithmPreset& algorithm, StepScale scale);

    /// Shares are compressed; differences are to zero at first.
    void Compress(const Compression& compression);

    /// Node i starts with the vector number names[i].
    void Start(const std::vector<NodeId>& names);

    /// Gives nodes that lose their state what node 0 started with.
    void SetInitial()
    {
        m_context.initial = m_backend.Pool().AcquireCopy(m_initial.front().data());
    }

    /// Node i starts with these values.
    void Start(const std::vector<std::vector<float>>& values);

    /// What nodes start with, in the order of their vectors' numbers.
    const std::vector<std::vector<float>>& Initial() const
    {
        return m_initial;
    }

    /**
     * @brief One synchronous round; what goes back to its sender is there in the next one.
     * @param network decides over each share
     * @param arrange may reorder the shares before they arrive
     */
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

    /// How the model is cut.
    const ChunkLayout& Chunks() const
    {
        return m_context.chunks;
    }

    const MassLedger& Mass() const
    {
        return m_ledger;
    }

    const CountingObserver& Counts() const
    {
        return m_observer;
    }

    /// Sum over the nodes of w z of each parameter, by the states of Finish(), over their number.
    std::vector<double> Mean(const std::vector<std::vector<float>>& states) const;

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

    static LearningPlan TinyPlan(Round rounds, const AlgorithmPreset& algorithm = {});

    std::shared_ptr<const GraphSequence> m_graph;
    MassLedger m_ledger;
    TrainingBackend m_backend;
    LearningPlan m_plan;
    CountingObserver m_observer;
    LearnerContext m_context;
    std::vector<std::vector<float>> m_initial;
    std::vector<std::unique_ptr<Learner>> m_learners;
    void Pass(Learner& learner,
              const std::vector<Share>& shares,
              const Network& network,
              std::vector<Share>& arriving);

    std::vector<Share> m_held;
    std::vector<Share> m_nextHeld;
    std::vector<std::function<void()>> m_back;
    std::vector<std::function<void()>> m_nextBack;
};

} // namespace dpdl

#endif // DPDL_TEST_GOSSIP_RUN_H
