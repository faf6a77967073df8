// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/network/link-table.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/input-file.h"
#include "dpdl/base/quantity.h"
#include "link-file-reader.h"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <istream>

namespace dpdl
{

namespace
{

/// Parses an integer >= 1 followed by @p unit. Returns 0 if the text does not have this form.
std::uint64_t
CountBefore(const std::string& text, const std::string& unit)
{
    if (!boost::algorithm::ends_with(text, unit))
    {
        return 0;
    }
    return FindNumber<std::uint64_t>(text.substr(0, text.size() - unit.size())).value_or(0);
}

} // namespace

QueueLimit
ParseQueueLimit(const std::string& what, const std::string& text)
{
    const QueueLimit limit{CountBefore(text, "B"), CountBefore(text, "msg")};
    DPDL_REFUSE_IF(limit.IsUnbounded() && text != "none",
                   what,
                   text,
                   "none, bytes such as 64000B, or messages such as 5msg");
    return limit;
}

LinkTable::LinkTable(std::size_t nodes, const LinkParameters& defaults)
    : m_nodes(nodes),
      m_defaults(defaults),
      m_mayLose(defaults.drop > 0.0 || !defaults.queue.IsUnbounded())
{
}

void
LinkTable::Read(std::istream& text,
                const std::string& name,
                LinkColumn own,
                std::set<LinkColumn>& claimed)
{
    LinkFileReader reader(*this, name, own, claimed);
    for (std::string line; std::getline(text, line);)
    {
        reader.AddLine(line);
    }
    claimed.merge(reader.Finish());
}

void
LinkTable::ReadFile(const std::string& path, LinkColumn own, std::set<LinkColumn>& claimed)
{
    std::ifstream file = OpenInputFile("link file", path);
    Read(file, path, own, claimed);
}

LinkParameters
LinkTable::At(NodeId source, NodeId target) const
{
    LinkParameters link = m_defaults;
    if (!m_lines.empty())
    {
        Apply(LinkFileReader::ANY, LinkFileReader::ANY, link);
        Apply(LinkFileReader::ANY, target, link);
        Apply(source, LinkFileReader::ANY, link);
        Apply(source, target, link);
    }
    return link;
}

LinkParameters
LinkTable::Fastest() const
{
    LinkParameters link = m_defaults;
    for (const auto& [ends, line] : m_lines)
    {
        link.dataRate = std::max(link.dataRate, line.dataRate.value_or(link.dataRate));
        link.delay = std::min(link.delay, line.delay.value_or(link.delay));
        link.overhead = std::min(link.overhead, line.overhead.value_or(link.overhead));
        link.group = std::max(link.group, line.group.value_or(link.group));
    }
    return link;
}

void
LinkTable::Apply(NodeId source, NodeId target, LinkParameters& link) const
{
    const auto line = m_lines.find(LinkFileReader::Key(source, target));
    if (line == m_lines.end())
    {
        return;
    }
    const Overrides& overrides = line->second;
    link.dataRate = overrides.dataRate.value_or(link.dataRate);
    link.delay = overrides.delay.value_or(link.delay);
    link.drop = overrides.drop.value_or(link.drop);
    link.overhead = overrides.overhead.value_or(link.overhead);
    link.queue = overrides.queue.value_or(link.queue);
    link.group = overrides.group.value_or(link.group);
}

std::uint32_t
LinkTable::Group(const std::string& name)
{
    const auto known = std::find(m_groups.begin(), m_groups.end(), name);
    const auto index = static_cast<std::uint32_t>(known - m_groups.begin());
    if (known == m_groups.end())
    {
        m_groups.push_back(name);
    }
    return index + 1;
}

} // namespace dpdl
