// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/node-epsilons.h"

#include "dpdl/base/csv-reader.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

namespace dpdl
{

namespace
{

const std::string RANGE = "range:";
const std::string TO = "..";
const std::string FILE_PREFIX = "file:";

double
ParseEpsilon(const std::string& what, const std::string& text, const std::string& accepted)
{
    return ParseNumber(what, text, accepted, [](double epsilon) { return epsilon > 0.0; });
}

} // namespace

NodeEpsilons::NodeEpsilons(double epsilon)
    : m_low(epsilon),
      m_high(epsilon)
{
}

const std::string&
NodeEpsilons::Accepted()
{
    static const std::string ACCEPTED = "a number > 0, range:LOW..HIGH, or file:PATH";
    return ACCEPTED;
}

NodeEpsilons
NodeEpsilons::Parse(const std::string& what, const std::string& text)
{
    NodeEpsilons epsilons;
    if (text.rfind(FILE_PREFIX, 0) == 0 && text != FILE_PREFIX)
    {
        epsilons.m_path = text.substr(FILE_PREFIX.size());
        return epsilons;
    }
    if (text.rfind(RANGE, 0) != 0)
    {
        return ParseEpsilon(what, text, Accepted());
    }
    const std::size_t to = text.find(TO);
    DPDL_REFUSE_IF(to == std::string::npos, what, text, Accepted());
    const std::string accepted = "a number > 0 on both sides of " + RANGE + "LOW..HIGH";
    epsilons.m_low = ParseEpsilon(what, text.substr(RANGE.size(), to - RANGE.size()), accepted);
    epsilons.m_high = ParseEpsilon(what, text.substr(to + TO.size()), accepted);
    return epsilons;
}

std::string
NodeEpsilons::Text() const
{
    if (!m_path.empty())
    {
        return FILE_PREFIX + m_path;
    }
    return AreEqual() ? ShowNumber(m_low) : RANGE + ShowNumber(m_low) + TO + ShowNumber(m_high);
}

std::vector<double>
NodeEpsilons::Of(std::size_t nodes) const
{
    if (!m_path.empty())
    {
        return Read(nodes);
    }
    std::vector<double> epsilons(nodes, m_low);
    for (std::size_t node = 1; node < nodes; ++node)
    {
        const double part = static_cast<double>(node) / static_cast<double>(nodes - 1);
        epsilons[node] = m_low + (m_high - m_low) * part;
    }
    return epsilons;
}

std::vector<double>
NodeEpsilons::Read(std::size_t nodes) const
{
    constexpr const char* KIND = "budget file";
    std::vector<double> epsilons(nodes, 0.0);
    std::ifstream file = OpenCsv(m_path, KIND);
    for (const CsvRow& row : ParseCsv(file, KIND, m_path, "node,epsilon"))
    {
        const std::string text = Excerpt(row.fields[0]);
        const std::size_t node = ParseInteger(row.place + ", node", text, 0, nodes - 1);
        DPDL_REFUSE_IF(epsilons[node] > 0.0,
                       row.place + ", node",
                       text,
                       "a node that has no row above");
        epsilons[node] =
            ParseEpsilon(row.place + ", epsilon", Excerpt(row.fields[1]), "a number > 0");
    }
    for (std::size_t node = 0; node < nodes; ++node)
    {
        DPDL_REFUSE_IF(epsilons[node] == 0.0,
                       std::string(KIND) + " '" + m_path + "' has no row for node " +
                           std::to_string(node) + "; expected one for each of the " +
                           std::to_string(nodes) + " nodes");
    }
    return epsilons;
}

} // namespace dpdl
