// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/registry.h"
#include "dpdl/experiment/experiment.h"
#include "dpdl/experiment/make-run-origin.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/experiment/run-rules.h"
#include "dpdl/training/gradient-engine.h"

#include <filesystem>

// Opens the trace of a new or resumed run, and writes the run's settings, metadata and origin.

namespace dpdl
{

namespace
{

/// Creates the trace of a new run. Several runs without option `trace` may start at the same time.
/// Each of them takes the next free name.
std::unique_ptr<TraceStore>
OpenNew(ResolvedRun& run, const TraceStore::Options& options)
{
    if (!run.trace.empty())
    {
        return std::make_unique<TraceStore>(run.trace, options);
    }
    const std::string program = ValueOf(run.origin, "program");
    std::error_code ignored;
    while (true)
    {
        run.trace = FreeTraceName(program.empty() ? "dpdl" : program, run.seed);
        try
        {
            auto store = std::make_unique<TraceStore>(run.trace, options);
            for (auto& [name, value] : run.origin)
            {
                value = name == "trace" ? run.trace : value;
            }
            return store;
        }
        catch (const UsageError&)
        {
            if (!std::filesystem::exists(run.trace, ignored))
            {
                throw;
            }
        }
    }
}

} // namespace

void
Experiment::OpenStore()
{
    TraceStore::Options options;
    options.overwrite = m_run.overwrite;
    // The recorder decides when to commit, so the store does not commit after a number of rows.
    options.rowsPerTransaction = 0;
    if (m_run.resume.empty())
    {
        m_store = OpenNew(m_run, options);
        return;
    }
    const std::string reason = WhyNotRepeated(m_run);
    DPDL_REFUSE_IF(!reason.empty(),
                   "trace '" + m_run.resume + "': the run cannot be repeated, and so " +
                       "not gone on with (" + reason + ")");
    options.resumption = {0, ValueOf(m_run.origin, "program") + " " + BuildVersion(), TimeNow()};
    m_store = std::make_unique<TraceStore>(m_run.resume, options);
    std::optional<Checkpoint> checkpoint =
        HasCheckpoints(m_run) ? m_store->LastCheckpoint() : std::nullopt;
    Warn("goes on with '" + m_run.resume + "'" +
         (checkpoint ? ", from its last checkpoint; until there the network is simulated again"
                     : ": what is there is computed again first, and compared"));
    if (checkpoint)
    {
        m_backend->Repeat(std::move(checkpoint->journal), std::move(checkpoint->state));
    }
}

void
Experiment::OpenTrace(const Metadata& facts)
{
    OpenStore();
    const RunOptions shown = m_run.AsSettings();
    for (const OptionRow<RunOptions>& option : LearningOptions().Options())
    {
        m_store->SetSetting(option.name, option.show(shown));
    }
    m_store->SetSetting("batchSize", ResolveBatchSize(m_run));
    WriteStatements();
    WritePart();
    for (const auto& [name, value] : facts)
    {
        m_store->SetSetting(name, value);
    }
    if (m_run.device == "cuda")
    {
        m_store->SetSetting("gpu", m_backend->Device());
    }
    m_store->SetSummary("rounds", 0);
    m_store->SetSummary("nodes", m_run.nodes);
    m_store->SetSummary("parameters", m_backend->Model().ParameterCount());
    m_store->SetSummary("delta", m_run.plan->Settings().delta);
    for (const auto& [name, value] : m_run.noiseFigures)
    {
        m_store->SetSummary(name, value);
    }
    const std::string dataset = DigestOf(*m_run.data);
    for (const auto& [name, value] : WithInputs(m_run.origin, dataset, m_run.model))
    {
        m_store->AddOrigin(name, value);
    }
    m_store->SetSetting("datasetDigest", dataset);
    m_store->Flush();
    m_recorder = std::make_unique<RunRecorder>(m_run,
                                               m_context,
                                               *m_store,
                                               MESSAGE_HEADER_BYTES,
                                               m_budget.get());
    m_recorder->Positions().SetLocator([this](NodeId node) { return PositionOf(node); });
    m_context.observer = m_recorder.get();
}

void
Experiment::WriteStatements()
{
    if (m_run.preset.clip > 0.0)
    {
        m_store->SetSetting("clipDecay", ShowNumber(m_run.preset.clipDecay));
        m_store->SetSetting("muGrowth", ShowNumber(m_run.preset.muGrowth));
    }
    else
    {
        m_store->SetSetting("clip", "none");
    }
    const bool isNoisy = m_run.preset.isPrivate && m_run.noise;
    m_store->SetSetting("noiseStatement",
                        isNoisy ? m_run.plan->Settings().noiseSource->Statement() : "no noise");
    const char* const certified = m_run.plan->Settings().ownPart ? "shared" : "whole";
    m_store->SetSetting("certifiedPart", isNoisy ? certified : "none");
    m_store->SetSetting("publicStatement", PublicStatement());
    m_store->SetSetting("claimKappa", ShowNumber(m_run.plan->ClaimKappa()));
    m_store->SetSetting("computeStatement",
                        m_run.compute.kind == ComputeKind::MEASURED
                            ? "wall time of each step; " + UNREPEATABLE
                            : ShowNumber(m_run.computeModel->Slowest(m_run.nodes)) +
                                  " s for a step of the slowest node");
    const std::string engine = ResolveEngine(m_run.engine, m_backend->Model());
    m_store->SetSetting("engine",
                        m_run.device == "cuda" && engine != "native" ? "libtorch-cuda" : engine);
    const auto setIfKnown = [this](const char* name, const std::string& value) {
        if (!value.empty())
        {
            m_store->SetSetting(name, value);
        }
    };
    setIfKnown("engineReason", m_backend->Model().engineReason);
    setIfKnown("modelFiles", DigestOfModel(m_run.model));
    setIfKnown("privacyArgument", m_run.preset.argument);
    setIfKnown("liars", JoinNodes(m_run.liars.Members(), ","));
    setIfKnown("leakers", JoinNodes(m_run.leakers.Members(), ","));
    const std::size_t parts = m_run.preset.sampledParts;
    setIfKnown("sampledParts", parts > 1 ? std::to_string(parts) : "");
    m_store->SetSetting("gossipOrder",
                        m_run.preset.order == GossipOrder::SEND_FIRST ? "send-first"
                                                                      : "step-first");
    setIfKnown("nodeWeights", m_run.masses.empty() ? "" : "min(n_k, cap)");
    setIfKnown("gossipMomentum", m_run.preset.accelerates ? ShowNumber(m_run.momentum) : "");
    m_store->SetSetting("stepLaw", StepLaw());
    m_store->SetSetting("sharedParameters", std::to_string(m_run.plan->Settings().shared));
    m_store->SetSetting("roundDeadlineSeconds", ShowNumber(DeadlineSeconds()));
    m_store->SetSetting("sensitivityOracle",
                        m_exchange && m_run.preset.sensitivity->isOracle
                            ? "noise is scaled by the true distance of the nodes, which no node "
                              "could know"
                            : "none");
    m_store->SetSetting("lossOracle",
                        m_run.lossPolicy == LossPolicy::REFUND
                            ? "the transport tells a sender which of its messages are lost"
                            : "none");
}

std::string
Experiment::PublicStatement() const
{
    std::string taken = m_run.publicExamples == 0 ? "the number of examples of each node" : "";
    if (IsUserFile(m_run.dataset) && m_run.classes == 0)
    {
        taken += std::string(taken.empty() ? "" : ", ") +
                 "the kind of task and the number of classes (" +
                 std::to_string(m_run.data->classes) + ")";
    }
    return taken.empty() ? "nothing of the training data is taken as public"
                         : "taken as public: " + taken;
}

void
Experiment::WritePart()
{
    const RankBlock& part = m_run.part;
    if (!part.IsWhole())
    {
        m_store->SetSetting("ranks", std::to_string(part.ranks));
        m_store->SetSetting("rank", std::to_string(part.rank));
        m_store->SetSetting("rankFirstNode", std::to_string(part.Begin(m_run.nodes)));
        m_store->SetSetting("rankLastNode", std::to_string(part.End(m_run.nodes) - 1));
    }
}

std::string
Experiment::StepLaw() const
{
    bool isConstant = m_run.preset.step->IsPlain();
    for (Round round = 0; round < m_run.plan->Rounds(); ++round)
    {
        isConstant =
            isConstant && m_run.plan->At(0, round).stepSize == m_run.plan->At(0, 0).stepSize;
    }
    // Local parameters influence the shared parameters in a way that an observer cannot
    // reconstruct. A run with local parameters therefore has the setting stepLaw=own.
    const bool isWhole = m_context.chunks.Parameters() == m_backend->Model().ParameterCount();
    return isConstant && isWhole ? "constant" : "own";
}

} // namespace dpdl
