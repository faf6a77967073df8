// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/ledger.h"

#include "dpdl/base/errors.h"

#include <iterator>
#include <tuple>
#include <utility>

// Equal releases are stored once, in m_kinds. A node's releases are stored as arithmetic
// progressions of rounds (Run), which ForEach() expands.

namespace dpdl
{

namespace
{

/// Hash of a release without node and round, from its noise, sensitivity, rate, noise stream and
/// epoch. Releases that are equal except for node and round have equal hashes.
std::size_t
HashOfKind(const Release& fields)
{
    std::size_t hash = std::hash<double>()(fields.noise);
    hash = hash * 31 + std::hash<double>()(fields.sensitivity);
    hash = hash * 31 + std::hash<double>()(fields.rate);
    return hash * 31 + fields.stream + fields.epoch.value_or(0);
}

/// True if two releases are equal in all fields except node and round. False if a field is NaN.
bool
IsSameKind(const Release& a, const Release& b)
{
    return a.Kind() == b.Kind() && a.noise == b.noise && a.stream == b.stream &&
           a.values == b.values;
}

} // namespace

PrivacyLedger::PrivacyLedger(std::size_t nodes)
    : m_nodes(nodes)
{
}

Release
PrivacyLedger::Append(const Release& release)
{
    if (release.node >= m_nodes.size())
    {
        throw Error("the privacy ledger has no node " + std::to_string(release.node));
    }
    Node& node = m_nodes[release.node];
    const bool noisy = release.mechanism != "none" && release.noise != 0.0;
    const bool fresh = !noisy || IsFresh(node, release.round, release.stream);
    const Release entry = fresh ? release : release.WithFlags(ReleaseFlag::SEED_REUSE);
    Extend(node.runs, release.round, KindOf(entry));
    return entry;
}

bool
PrivacyLedger::IsFresh(Node& node, Round round, std::uint32_t stream)
{
    std::map<Round, Round>& used = node.used[stream];
    const auto after = used.upper_bound(round);
    const auto before = after == used.begin() ? used.end() : std::prev(after);
    if (before != used.end() && round <= before->second)
    {
        return false;
    }
    const bool joinsAfter = after != used.end() && after->first == round + 1;
    const Round last = joinsAfter ? after->second : round;
    if (joinsAfter)
    {
        used.erase(after);
    }
    if (before != used.end() && before->second + 1 == round)
    {
        before->second = last;
    }
    else
    {
        used[round] = last;
    }
    return true;
}

std::uint32_t
PrivacyLedger::KindOf(const Release& release)
{
    const std::size_t hash = HashOfKind(release);
    const auto [first, last] = m_kindByHash.equal_range(hash);
    for (auto known = first; known != last; ++known)
    {
        if (IsSameKind(m_kinds[known->second], release))
        {
            return known->second;
        }
    }
    const auto kind = static_cast<std::uint32_t>(m_kinds.size());
    m_kinds.push_back(release);
    m_kinds.back().node = 0;
    m_kinds.back().round = 0;
    m_kindByHash.emplace(hash, kind);
    return kind;
}

void
PrivacyLedger::Extend(std::vector<Run>& runs, Round round, std::uint32_t kind)
{
    if (!runs.empty())
    {
        Run& run = runs.back();
        const auto count = static_cast<std::int64_t>(run.count);
        if (count == 1)
        {
            run.roundStep = std::int64_t{round} - run.round;
            run.kindStep = std::int64_t{kind} - run.kind;
        }
        if (run.round + count * run.roundStep == round && run.kind + count * run.kindStep == kind)
        {
            ++run.count;
            return;
        }
    }
    runs.push_back({round, 0, kind, 0, 1});
}

std::vector<Release>
PrivacyLedger::ForNode(NodeId node) const
{
    std::vector<Release> releases;
    ForEach(node, [&releases](const Release& release) { releases.push_back(release); });
    return releases;
}

ReleaseTally
PrivacyLedger::TallyOf(NodeId node) const
{
    ReleaseTally tally;
    ForEachRepeated(node, [&tally](const Repeated& all) { tally.Add(all.first, all.count); });
    return tally;
}

void
PrivacyLedger::ForEach(NodeId node, const std::function<void(const Release&)>& visit) const
{
    ForEachRepeated(node, [&visit](const Repeated& all) {
        Release fields = all.first;
        for (std::size_t i = 0; i < all.count; ++i)
        {
            visit(fields);
            fields.round = static_cast<Round>(fields.round + all.roundStep);
        }
    });
}

void
PrivacyLedger::ForEachRepeated(NodeId node, const std::function<void(const Repeated&)>& visit) const
{
    for (const Run& run : m_nodes.at(node).runs)
    {
        const std::size_t parts = run.kindStep == 0 ? 1 : run.count;
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(parts); ++i)
        {
            Release fields = m_kinds[static_cast<std::size_t>(run.kind + i * run.kindStep)];
            fields.node = node;
            fields.round = static_cast<Round>(run.round + i * run.roundStep);
            visit({fields, run.roundStep, run.count / parts});
        }
    }
}

std::vector<NodeId>
PrivacyLedger::Alike() const
{
    using Key = std::tuple<Round, std::int64_t, std::uint32_t, std::int64_t, std::size_t>;
    std::map<std::vector<Key>, NodeId> known;
    std::vector<NodeId> alike;
    for (NodeId node = 0; node < m_nodes.size(); ++node)
    {
        // Nodes with equal releases have equal progressions (Run), which serve as a key.
        std::vector<Key> key;
        for (const Run& run : m_nodes[node].runs)
        {
            key.emplace_back(run.round, run.roundStep, run.kind, run.kindStep, run.count);
        }
        alike.push_back(known.emplace(std::move(key), node).first->second);
    }
    return alike;
}

std::size_t
PrivacyLedger::Size() const
{
    std::size_t size = 0;
    for (const Node& node : m_nodes)
    {
        for (const Run& run : node.runs)
        {
            size += run.count;
        }
    }
    return size;
}

} // namespace dpdl
