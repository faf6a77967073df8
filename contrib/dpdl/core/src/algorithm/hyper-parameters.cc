// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/options.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/registry.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace dpdl
{

HyperParameters::HyperParameters(std::vector<HyperParameter> declared)
    : m_list(std::move(declared))
{
}

void
HyperParameters::Declare(HyperParameter parameter)
{
    DPDL_REFUSE_IF(!(parameter.value >= parameter.least && parameter.value <= parameter.most),
                   "default of hyper-parameter '" + parameter.name + "'",
                   ShowNumber(parameter.value),
                   "a number from " + ShowNumber(parameter.least) + " to " +
                       ShowNumber(parameter.most));
    m_list.push_back(std::move(parameter));
}

void
HyperParameters::Set(const std::string& algorithm, const std::string& text)
{
    std::set<std::string> given;
    for (std::size_t begin = 0; begin < text.size();)
    {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        const auto found =
            std::find_if(m_list.begin(), m_list.end(), [&name](const HyperParameter& parameter) {
                return parameter.name == name || (!name.empty() && parameter.formerName == name);
            });
        if (found == m_list.end())
        {
            ThrowUnknownName("hyper-parameter of " + algorithm, name, NamesIn(m_list));
        }
        DPDL_REFUSE_IF(equals == std::string::npos || !given.insert(found->name).second,
                       "option 'hyper'",
                       word,
                       "NAME=VALUE,..., each name once");
        if (found->name != name)
        {
            WarnOfFormerName("hyper-parameter", name, found->name);
        }
        found->value = ParseNumber("hyper-parameter '" + name + "'",
                                   word.substr(equals + 1),
                                   (found->isWhole ? "a whole number from " : "a number from ") +
                                       ShowNumber(found->least) + " to " + ShowNumber(found->most),
                                   [&](double value) {
                                       return value >= found->least && value <= found->most &&
                                              (!found->isWhole || value == std::floor(value));
                                   });
    }
}

bool
HyperParameters::Has(const std::string& name) const
{
    return std::any_of(m_list.begin(), m_list.end(), [&name](const HyperParameter& parameter) {
        return parameter.name == name;
    });
}

double
HyperParameters::operator[](const std::string& name) const
{
    for (const HyperParameter& parameter : m_list)
    {
        if (parameter.name == name)
        {
            return parameter.value;
        }
    }
    throw Error("no hyper-parameter is called '" + name + "'");
}

std::string
WithHyperParameter(const std::string& text, const std::string& name, double value)
{
    std::string changed;
    for (std::size_t begin = 0; begin < text.size();)
    {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        begin = end + 1;
        changed += word.substr(0, word.find('=')) == name ? "" : word + ",";
    }
    return changed + name + "=" + ShowNumber(value);
}

} // namespace dpdl
