// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-scenario.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include "ns3/config.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <set>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// Attributes of ns-3 on the command line of a scenario, and the lists that ns-3 prints.

namespace ns3
{

namespace
{

const std::string ACCEPTED = "a registered attribute and a value it takes "
                             "(--PrintAttributes=ns3::DpdlApplication lists some)";

/// True if ns-3 accepts @p value for attribute @p name. The test runs in a child process, since
/// ns-3 aborts the process at some values.
bool
IsReadable(const std::string& name, const std::string& value)
{
    const pid_t child = fork();
    if (child < 0)
    {
        throw ::dpdl::Error("attribute '" + name + "' cannot be checked: no process can be made");
    }
    if (child == 0)
    {
        const rlimit none{0, 0};
        setrlimit(RLIMIT_CORE, &none);
        close(STDOUT_FILENO);
        close(STDERR_FILENO);
        _exit(Config::SetDefaultFailSafe(name, StringValue(value)) ? 0 : 1);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Throws dpdl::UsageError for a time outside the range of ns-3's clock. Negative times are
/// allowed.
void
CheckTime(const std::string& name, const std::string& value)
{
    char* unit = nullptr;
    const double number = std::strtod(value.c_str(), &unit);
    const double seconds = Time(std::string("1") + unit).GetSeconds();
    // With the clock's resolution of 1 ns, one femtosecond is 0, so convert a million femtoseconds.
    const double small = Time(std::string("1e6") + unit).GetSeconds() / 1e6;
    ::dpdl::RequireTime("attribute '" + name + "'",
                        value,
                        std::abs(number) * (seconds > 0.0 ? seconds : small));
}

bool
IsGroup(const std::string& name)
{
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        if (TypeId::GetRegistered(i).GetGroupName() == name)
        {
            return true;
        }
    }
    return false;
}

} // namespace

bool
DpdlScenario::IsPrintedByNs3(const std::string& argument)
{
    static const std::set<std::string> words{"--PrintGlobals",
                                             "--PrintGroups",
                                             "--PrintTypeIds",
                                             "--PrintVersion"};
    const std::size_t equals = std::min(argument.find('='), argument.size());
    const std::string name = argument.substr(0, equals);
    const std::string value = argument.substr(std::min(equals + 1, argument.size()));
    TypeId type;
    DPDL_REFUSE_IF(name == "--PrintAttributes" && !TypeId::LookupByNameFailSafe(value, &type),
                   "option 'PrintAttributes'",
                   value,
                   "a type such as ns3::DpdlApplication; --PrintTypeIds lists them");
    DPDL_REFUSE_IF(name == "--PrintGroup" && !IsGroup(value),
                   "option 'PrintGroup'",
                   value,
                   "a group such as Network; --PrintGroups lists them");
    return name == "--PrintAttributes" || name == "--PrintGroup" || words.count(argument) > 0;
}

void
DpdlScenario::SetAttributeDefault(const std::string& name, const std::string& value)
{
    const std::size_t colons = name.rfind("::");
    TypeId type;
    TypeId::AttributeInformation attribute;
    DPDL_REFUSE_IF(!TypeId::LookupByNameFailSafe(name.substr(0, colons), &type) ||
                       !type.LookupAttributeByName(name.substr(colons + 2), &attribute) ||
                       !IsReadable(name, value),
                   "attribute '" + name + "'",
                   value,
                   ACCEPTED);
    if (attribute.checker->GetValueTypeName() == "ns3::TimeValue")
    {
        CheckTime(name, value);
    }
    Config::SetDefaultFailSafe(name, StringValue(value));
}

} // namespace ns3
