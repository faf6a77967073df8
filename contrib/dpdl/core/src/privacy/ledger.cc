// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/ledger.h"

#include "dpdl/base/errors.h"

namespace dpdl
{

PrivacyLedger::PrivacyLedger(std::size_t nodes)
    : m_releases(nodes)
{
}

const Release&
PrivacyLedger::Append(const Release& release)
{
    const Release::Fields& fields = release.Get();
    if (fields.node >= m_releases.size())
    {
        throw Error("the privacy ledger has no node " + std::to_string(fields.node));
    }
    const bool noisy = fields.mechanism != "none" && fields.noise != 0.0;
    const bool fresh =
        !noisy || m_streams.insert({fields.node, fields.round, fields.stream}).second;
    std::vector<Release>& list = m_releases[fields.node];
    list.push_back(fresh ? release : release.WithFlags(ReleaseFlag::SEED_REUSE));
    return list.back();
}

const std::vector<Release>&
PrivacyLedger::ForNode(NodeId node) const
{
    return m_releases.at(node);
}

std::size_t
PrivacyLedger::Size() const
{
    std::size_t size = 0;
    for (const std::vector<Release>& list : m_releases)
    {
        size += list.size();
    }
    return size;
}

} // namespace dpdl
