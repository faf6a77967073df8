// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "link-file-reader.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/registry.h"

#include <algorithm>
#include <iterator>
#include <sstream>

// Reads files with parameters of links. The first line may name the columns, and every further line
// sets the values of one link. Without names, the columns are source, target and the required
// column. Error messages name the line number and the word.

namespace dpdl
{

namespace
{

/// Names of the columns; index: LinkColumn.
const std::vector<std::string>&
ColumnNames()
{
    static const std::vector<std::string> names{"dataRate",
                                                "delay",
                                                "drop",
                                                "overhead",
                                                "queue",
                                                "group"};
    return names;
}

constexpr const char* ERROR_MARK = "# error ";

} // namespace

LinkFileReader::LinkFileReader(LinkTable& table,
                               const std::string& name,
                               LinkColumn own,
                               const std::set<LinkColumn>& claimed)
    : m_table(table),
      m_name(name),
      m_own(own),
      m_taken(claimed)
{
}

std::string
LinkFileReader::Place(std::size_t word) const
{
    return "link file '" + m_name + "', line " + std::to_string(m_line) + ", word " +
           std::to_string(word + 1);
}

void
LinkFileReader::AddLine(const std::string& line)
{
    ++m_line;
    if (line.rfind(ERROR_MARK, 0) == 0)
    {
        m_table.m_errors.push_back(Strip(line.substr(std::string(ERROR_MARK).size())));
    }
    std::istringstream words(line.substr(0, line.find('#')));
    m_words.assign(std::istream_iterator<std::string>(words), {});
    if (m_words.empty())
    {
        return;
    }
    if (!m_fields.empty())
    {
        ReadLink();
        return;
    }
    const bool hasNames = std::find(m_words.begin(), m_words.end(), "source") != m_words.end();
    if (hasNames)
    {
        ReadNames();
        return;
    }
    m_fields = {{Field::Kind::SOURCE, m_own},
                {Field::Kind::TARGET, m_own},
                {Field::Kind::VALUE, m_own}};
    ReadLink();
}

void
LinkFileReader::ReadNames()
{
    const std::vector<std::string>& columns = ColumnNames();
    for (std::size_t word = 0; word < m_words.size(); ++word)
    {
        const std::string& name = m_words[word];
        DPDL_REFUSE_IF(std::find(m_words.begin(), m_words.begin() + word, name) !=
                           m_words.begin() + word,
                       Place(word),
                       Excerpt(name),
                       "every column once");
        if (name == "source" || name == "target")
        {
            const auto kind = name == "source" ? Field::Kind::SOURCE : Field::Kind::TARGET;
            m_fields.push_back({kind, m_own});
            continue;
        }
        const auto known = std::find(columns.begin(), columns.end(), name);
        DPDL_REFUSE_IF(known == columns.end(),
                       Place(word),
                       Excerpt(name),
                       "source, target, " + JoinNames(columns));
        const auto column = static_cast<LinkColumn>(known - columns.begin());
        const bool wanted = column == m_own || m_taken.count(column) == 0;
        m_fields.push_back({wanted ? Field::Kind::VALUE : Field::Kind::SKIPPED, column});
    }
    CheckNames();
}

void
LinkFileReader::CheckNames() const
{
    for (const std::string& needed :
         {std::string("source"), std::string("target"), ColumnNames()[static_cast<int>(m_own)]})
    {
        DPDL_REFUSE_IF(std::find(m_words.begin(), m_words.end(), needed) == m_words.end(),
                       "link file '" + m_name + "', line " + std::to_string(m_line) +
                           ": there is no column '" + needed + "'");
    }
}

void
LinkFileReader::ReadLink()
{
    DPDL_REFUSE_IF(m_words.size() != m_fields.size(),
                   Place(std::min(m_words.size(), m_fields.size())),
                   std::to_string(m_words.size()) + " words",
                   std::to_string(m_fields.size()) + ", one for each column");
    NodeId source = ANY;
    NodeId target = ANY;
    for (std::size_t word = 0; word < m_words.size(); ++word)
    {
        if (m_fields[word].kind == Field::Kind::SOURCE)
        {
            source = ReadNode(word);
        }
        else if (m_fields[word].kind == Field::Kind::TARGET)
        {
            target = ReadNode(word);
        }
    }
    const std::string ends = m_words[0] + " " + m_words[1];
    DPDL_REFUSE_IF(source == target && source != ANY, Place(1), ends, "two different nodes");
    DPDL_REFUSE_IF(!m_seen.insert(Key(source, target)).second, Place(1), ends, "every link once");
    LinkTable::Overrides& link = m_table.m_lines[Key(source, target)];
    for (std::size_t word = 0; word < m_words.size(); ++word)
    {
        if (m_fields[word].kind == Field::Kind::VALUE)
        {
            ReadValue(link, m_fields[word].column, word);
        }
    }
}

NodeId
LinkFileReader::ReadNode(std::size_t word) const
{
    if (m_words[word] == "*")
    {
        return ANY;
    }
    const auto node = FindNumber<NodeId>(m_words[word]);
    DPDL_REFUSE_IF(!node || *node >= m_table.m_nodes,
                   Place(word),
                   Excerpt(m_words[word]),
                   "* or a node from 0 to " + std::to_string(m_table.m_nodes - 1));
    return *node;
}

void
LinkFileReader::ReadValue(LinkTable::Overrides& link, LinkColumn column, std::size_t word)
{
    const std::string& text = m_words[word];
    const std::string place = Place(word);
    switch (column)
    {
    case LinkColumn::DATA_RATE:
        link.dataRate = ParseBitsPerSecond(place, text);
        return;
    case LinkColumn::DELAY:
        link.delay = ParseSeconds(place, text);
        return;
    case LinkColumn::DROP:
        link.drop = ParseLossProbability(place, text);
        m_table.m_mayLose = m_table.m_mayLose || *link.drop > 0.0;
        return;
    case LinkColumn::OVERHEAD:
        link.overhead = ParseNumber(place, text, "a number of bytes >= 0", [](double value) {
            return value >= 0.0;
        });
        return;
    case LinkColumn::QUEUE:
        link.queue = ParseQueueLimit(place, text);
        m_table.m_mayLose = m_table.m_mayLose || !link.queue->IsUnbounded();
        return;
    case LinkColumn::GROUP:
        link.group = text == "none" ? 0 : m_table.Group(text);
        return;
    }
}

std::set<LinkColumn>
LinkFileReader::Finish() const
{
    DPDL_REFUSE_IF(m_seen.empty(),
                   "link file '" + m_name + "' has no link; expected one link a line");
    std::set<LinkColumn> columns;
    for (const Field& field : m_fields)
    {
        if (field.kind == Field::Kind::VALUE)
        {
            columns.insert(field.column);
        }
    }
    return columns;
}

} // namespace dpdl
