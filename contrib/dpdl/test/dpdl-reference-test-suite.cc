// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-case.h"

#include "ns3/nstime.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

using namespace ns3;

namespace
{

constexpr const char* BEGIN = ".. reference begins\n\n"; //!< comment before the generated part
constexpr const char* END = ".. reference ends\n";       //!< comment behind it

/// The page that holds the reference.
std::string
Page()
{
    return std::string(NS_TEST_SOURCEDIR) + "/../doc/dpdl.rst";
}

/// All types of the module, by name.
std::vector<TypeId>
TypesOfModule()
{
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.GetGroupName() == "Dpdl")
        {
            types.push_back(type);
        }
    }
    std::sort(types.begin(), types.end(), [](const TypeId& a, const TypeId& b) {
        return a.GetName() < b.GetName();
    });
    return types;
}

/// A default as text; times in seconds, which every version of ns-3 writes alike.
std::string
DefaultOf(const TypeId::AttributeInformation& attribute)
{
    std::ostringstream text;
    if (const auto time = DynamicCast<const TimeValue>(attribute.initialValue))
    {
        text << time->Get().GetSeconds() << " s";
        return text.str();
    }
    return attribute.initialValue->SerializeToString(attribute.checker);
}

/// One table of three columns; nothing if there are no rows.
std::string
Table(const std::string& title,
      const std::vector<std::string>& head,
      const std::vector<std::vector<std::string>>& rows)
{
    if (rows.empty())
    {
        return "";
    }
    std::ostringstream text;
    text << ".. list-table:: " << title << "\n   :header-rows: 1\n   :widths: 22 26 52\n\n";
    const auto write = [&text](const std::vector<std::string>& row) {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            text << (i == 0 ? "   * - " : "     - ") << row[i] << "\n";
        }
    };
    write(head);
    std::for_each(rows.begin(), rows.end(), write);
    return text.str() + "\n";
}

/// The tables of all attributes and trace sources of the module, as reStructuredText.
std::string
Reference()
{
    std::string text;
    for (const TypeId& type : TypesOfModule())
    {
        const std::string name = "``" + type.GetName() + "``";
        const std::string parent = ", which is a ``" + type.GetParent().GetName() + "``";
        std::vector<std::vector<std::string>> attributes;
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation attribute = type.GetAttribute(i);
            attributes.push_back(
                {"``" + attribute.name + "``", "``" + DefaultOf(attribute) + "``", attribute.help});
        }
        std::vector<std::vector<std::string>> sources;
        for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
        {
            const TypeId::TraceSourceInformation source = type.GetTraceSource(i);
            sources.push_back(
                {"``" + source.name + "``", "``" + source.callback + "``", source.help});
        }
        text += Table("Attributes of " + name + parent,
                      {"attribute", "default", "meaning"},
                      attributes);
        text += Table("Trace sources of " + name, {"trace source", "callback", "when"}, sources);
    }
    return text;
}

/**
 * @ingroup dpdl-tests
 * @brief The handbook's tables are what the registry of types says. With DPDL_WRITE_REFERENCE in
 *        the environment they are written instead.
 */
class DpdlReferenceTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        std::ifstream file(Page());
        std::ostringstream content;
        content << file.rdbuf();
        std::string page = content.str();
        const std::size_t begin = page.find(BEGIN);
        const std::size_t end = page.find(END);
        NS_TEST_ASSERT_MSG_EQ((begin < end && end != std::string::npos),
                              true,
                              Page() + " has no place for the reference");
        const std::size_t first = begin + std::string(BEGIN).size();
        const std::string reference = Reference();
        NS_TEST_EXPECT_MSG_GT(reference.size(), 1000, "no types are registered");
        if (std::getenv("DPDL_WRITE_REFERENCE") != nullptr)
        {
            page.replace(first, end - first, reference);
            std::ofstream(Page()) << page;
            return;
        }
        NS_TEST_EXPECT_MSG_EQ((page.substr(first, end - first) == reference),
                              true,
                              Page() + " is stale; DPDL_WRITE_REFERENCE=1 and this suite renew it");
    }
};

const dpdltest::Suite g_dpdlReferenceTestSuite(
    "dpdl-reference",
    {new DpdlReferenceTest("attributes and trace sources of the handbook")});

} // namespace
