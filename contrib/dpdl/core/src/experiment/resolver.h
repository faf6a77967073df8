// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RESOLVER_H
#define DPDL_EXPERIMENT_RESOLVER_H

#include "dpdl/experiment/resolve.h"
#include "dpdl/experiment/run-failures.h"
#include "dpdl/experiment/run-rules.h"
#include "dpdl/experiment/run-warnings.h"

#include <algorithm>
#include <utility>

namespace dpdl
{

/// Executes the steps of Resolve(), which derives a ResolvedRun from the options. Each step may use
/// the results of earlier steps.
class Resolver
{
  public:
    Resolver(const RunOptions& asked, const NetworkFacts& facts, const RunWorld& world)
        : m_asked(asked),
          m_facts(facts),
          m_world(world)
    {
        static_cast<LearningSettings&>(m_run) = asked;
        static_cast<PrivacySettings&>(m_run) = asked;
        static_cast<NetworkSettings&>(m_run) = asked;
        static_cast<OutputSettings&>(m_run) = asked;
        static_cast<RunNetwork&>(m_run) = facts;
    }

    ResolvedRun Take()
    {
        TakeNumbers();
        TakePreset();
        m_run.failureEvents = ReadFailures(m_asked);
        if (m_run.preset.exchange == Exchange::EXAMPLES)
        {
            m_run.failureEvents.clear(); // a single learner has no network
        }
        m_run.liars = ResolveNodes(m_run, FailureKind::NODE_LIE);
        m_run.leakers = ResolveNodes(m_run, FailureKind::NODE_LEAK);
        m_run.outages = std::max(m_run.outages, OutagesOf(m_run.failureEvents));
        CheckTogether(m_run);
        Warn(IdleOptions(m_asked, m_run));
        Tell("the graph");
        BuildGraph();
        Tell("the data");
        TakeData();
        FitBatchSize();
        WeighNodes();
        if (m_run.device == "auto" && IsFasterOnDevice(m_run))
        {
            m_run.device = "cuda";
        }
        TakeNoiseSeed();
        m_run.batchSampler = TakeSampler();
        MakeNoise();
        CheckNoiseRows(m_run);
        CutModel();
        m_run.compression = ResolveCompression(m_run);
        m_run.mixRule = ResolveMixRule(m_run);
        m_run.momentum = GossipMomentum(m_run);
        m_run.measureQ =
            m_run.measureQ && m_run.momentum == 1.0; // q is not defined for accelerated gossip
        BuildPlan();
        BuildComputeModel();
        if (m_facts.check)
        {
            m_facts.check(m_run);
        }
        return std::move(m_run);
    }

  private:
    void TakeNumbers();
    void TakePreset();
    void TakeExchange();
    void TakeOwnRules();
    std::string TakeNoiseSource() const;
    void BuildGraph();
    void TakeData();
    void FitBatchSize();
    void WeighNodes();
    void TakeNoiseSeed();
    std::shared_ptr<const Sampler> TakeSampler() const;
    void MakeNoise();
    void CutIntoChunks();
    void CutModel();
    void BuildPlan();
    void BuildComputeModel();

    void Warn(const std::vector<std::string>& lines)
    {
        m_run.warnings.insert(m_run.warnings.end(), lines.begin(), lines.end());
    }

    /// Reports the name of the next part of the preparation to NetworkFacts::watch, if it is set.
    void Tell(const std::string& part) const
    {
        if (m_facts.watch)
        {
            m_facts.watch(part);
        }
    }

    const RunOptions& m_asked;   ///< options that the user gave; must outlive this object
    const NetworkFacts& m_facts; ///< properties of network and processes, from the driver
    /// Time, positions and state of nodes, for the topology; must outlive this object.
    const RunWorld& m_world;
    ResolvedRun m_run; ///< the options resolved so far
};

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RESOLVER_H
