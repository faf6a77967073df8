// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/trace/trace-store.h"

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
TraceStore::AddOrigin(std::string_view name, std::string_view value)
{
    m_impl->Guarded([&] { m_impl->AddOrigin(name, value); });
}

void
TraceStore::SetSummary(std::string_view name, const SummaryValue& value)
{
    m_impl->Guarded([&] { m_impl->SetSummary(name, value); });
}

void
TraceStore::AddRow(std::size_t table, const void* row)
{
    m_impl->Guarded(
        [&] { TraceRows::Apply(table, row, [this](const auto& typed) { m_impl->Add(typed); }); });
}

void
TraceStore::Flush(const std::vector<Delivery>& unsettled)
{
    m_impl->Guarded([&] { m_impl->Flush(unsettled); });
}

std::size_t
TraceStore::Pending() const
{
    return m_impl->Pending();
}

void
TraceStore::SetCheckpoint(const Checkpoint& checkpoint)
{
    m_impl->Guarded([&] { m_impl->SetCheckpoint(checkpoint); });
}

std::optional<Checkpoint>
TraceStore::LastCheckpoint()
{
    std::optional<Checkpoint> found;
    m_impl->Guarded([&] { found = m_impl->LastCheckpoint(); });
    return found;
}

bool
TraceStore::IsRepeating() const
{
    return m_impl->IsRepeating();
}

void
TraceStore::Leave()
{
    m_impl->Guarded([&] { m_impl->Leave(); });
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
