// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/trace/trace-store.h"

#include "trace-file.h"
#include "trace-store-impl.h"

namespace dpdl
{

TraceStore::TraceStore(const std::string& path, const Options& options)
    : m_impl(std::make_unique<Impl>(path, options))
{
}

TraceStore::~TraceStore()
{
    m_impl->Close();
}

void
TraceStore::SetSetting(std::string_view name, std::string_view value)
{
    m_impl->Guarded([&] { m_impl->SetSetting(name, value); });
}

void
TraceStore::SetSummary(std::string_view name, const SummaryValue& value)
{
    m_impl->Guarded([&] { m_impl->SetSummary(name, value); });
}

void
TraceStore::Add(const AccuracyRow& row)
{
    m_impl->figures.Note(row);
    m_impl->Guarded([&] {
        m_impl->Append(Table::EVALUATION,
                       {row.round,
                        row.simulatedSeconds,
                        row.accuracyMean,
                        row.accuracyWorst,
                        row.accuracyOfMeanModel,
                        row.lossMean,
                        row.consensusDistance});
    });
}

void
TraceStore::Add(const NodeAccuracyRow& row)
{
    m_impl->Guarded([&] {
        m_impl->Append(Table::NODE_EVALUATION, {row.round, row.node, row.accuracy, row.loss});
    });
}

void
TraceStore::Add(const NodeRoundRow& row)
{
    m_impl->Guarded([&] {
        m_impl->Append(Table::NODE_ROUND,
                       {row.round,
                        row.node,
                        row.w,
                        row.examples,
                        row.loss,
                        row.gradientNorm,
                        row.clipped,
                        row.startedAt,
                        row.finishedAt,
                        row.wSmallest});
    });
}

void
TraceStore::Add(const GuaranteeRow& row)
{
    m_impl->figures.Note(row);
    m_impl->Guarded([&] {
        const auto orNull = [](std::string_view text) {
            return text.empty() ? Cell(std::optional<double>()) : Cell(text);
        };
        m_impl->Append(Table::GUARANTEE,
                       {row.node,
                        row.claimed,
                        row.certified,
                        row.observed,
                        row.delta,
                        m_impl->Code(row.adjacency),
                        orNull(row.reason),
                        m_impl->Code(row.accountant),
                        orNull(row.claimReason),
                        row.stoppedInRound,
                        row.budget});
    });
}

void
TraceStore::Add(const RoundGuaranteeRow& row)
{
    m_impl->Guarded([&] {
        m_impl->Append(Table::GUARANTEE_GROWTH, {row.round, row.claimedMax, row.certifiedMax});
    });
}

void
TraceStore::Add(const ReleaseRow& row)
{
    m_impl->Guarded([&] {
        m_impl->Append(Table::LEDGER,
                       {row.node,
                        row.round,
                        m_impl->Code(row.mechanism),
                        m_impl->Code(row.sampler),
                        row.rate,
                        row.sensitivity,
                        row.noise,
                        row.noiseMultiplier,
                        m_impl->Code(row.flags)});
    });
}

void
TraceStore::Add(const DeliveryRow& row)
{
    m_impl->figures.Note(row);
    m_impl->Guarded([&] {
        m_impl->Append(Table::MESSAGE,
                       {row.round,
                        row.source,
                        row.target,
                        row.weight,
                        row.bytes,
                        row.sentAt,
                        row.arrivedAt,
                        row.usedInRound,
                        static_cast<std::int64_t>(row.fate),
                        row.chunk});
    });
}

void
TraceStore::Add(const LinkRow& row)
{
    m_impl->figures.Note(row);
    m_impl->Guarded([&] { m_impl->AppendLink(row); });
}

void
TraceStore::Add(const LinkEventRow& row)
{
    m_impl->Guarded([&] {
        m_impl->Append(Table::NETWORK_EVENT,
                       {row.time,
                        m_impl->Code(row.event),
                        row.source,
                        row.target,
                        row.node,
                        row.value,
                        m_impl->Code(row.sentence)});
    });
}

void
TraceStore::Add(const MassRow& row)
{
    m_impl->figures.Note(row);
    m_impl->Guarded([&] {
        m_impl->Append(Table::MASS,
                       {row.round, row.wAtNodes, row.wInFlight, row.wLost, row.wError, row.xError});
    });
}

void
TraceStore::Add(const QWindowRow& row)
{
    m_impl->figures.Note(row);
    m_impl->Guarded([&] {
        m_impl->Append(Table::TOPOLOGY_WINDOW,
                       {row.firstRound,
                        row.lastRound,
                        row.qBound,
                        row.qDesigned,
                        row.qRealised,
                        row.stronglyConnected,
                        row.effectiveNodes,
                        row.worstPair,
                        row.largestInfluence,
                        row.wMin,
                        row.wMax,
                        row.oneMinusQBound,
                        row.windowB,
                        row.diameter});
    });
}

void
TraceStore::Add(const SensitivityRow& row)
{
    m_impl->Guarded([&] {
        m_impl->Append(
            Table::SENSITIVITY,
            {row.round, row.node, row.estimated, row.heardMaximum, row.unheard, row.real});
    });
}

void
TraceStore::Add(const PositionRow& row)
{
    m_impl->Guarded([&] { m_impl->Append(Table::PLACE, {row.round, row.node, row.x, row.y}); });
}

void
TraceStore::Add(const FrameRow& row)
{
    m_impl->Guarded([&] {
        m_impl->Append(
            Table::FRAME_TOTAL,
            {row.distanceFrom, row.distanceTo, row.sent, row.received, row.collided, row.faded});
    });
}

void
TraceStore::Add(const EnergyRow& row)
{
    m_impl->Guarded([&] {
        m_impl->Append(Table::ENERGY,
                       {row.round, row.node, m_impl->Code(row.state), row.seconds, row.joule});
    });
}

void
TraceStore::Add(const ViolationRow& row)
{
    m_impl->Guarded([&] {
        m_impl->Append(Table::VALIDITY,
                       {row.round, row.node, m_impl->Code(row.assumption), row.detail});
    });
}

void
TraceStore::AddSnapshot(Round round, NodeId node, double w, const float* z, std::size_t count)
{
    m_impl->Guarded([&] {
        m_impl->AddVector("INSERT INTO state VALUES (?, ?, ?, ?)", {round, node, w}, z, count);
    });
}

void
TraceStore::AddNoise(Round round,
                     NodeId node,
                     std::uint32_t iteration,
                     const float* values,
                     std::size_t count)
{
    m_impl->Guarded([&] {
        m_impl->AddVector("INSERT INTO noise_vector VALUES (?, ?, ?, ?)",
                          {round, node, iteration},
                          values,
                          count);
    });
}

void
TraceStore::SettleCertified(double certifiedMax)
{
    m_impl->Guarded([&] { m_impl->SettleCertified(certifiedMax); });
}

void
TraceStore::Flush()
{
    m_impl->Guarded([&] { m_impl->Commit(); });
}

void
TraceStore::Finish(bool complete)
{
    m_impl->Guarded([&] { m_impl->Finish(complete); });
}

void
TraceStore::Discard() noexcept
{
    m_impl->Discard();
}

const std::string&
TraceStore::Path() const
{
    return m_impl->Path();
}

} // namespace dpdl
