// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "study-file.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include "ns3/dpdl-campaign.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <toml++/toml.h>

namespace
{

using dpdl::UsageError;

[[noreturn]] void
Refuse(const std::string& path, const toml::node& node, const std::string& accepted)
{
    std::ostringstream where;
    where << "file '" << path << "', line " << node.source().begin.line;
    throw UsageError(where.str() + ": expected " + accepted);
}

/// A value as it would stand on the command line.
std::string
TextOf(const std::string& path, const toml::node& node)
{
    if (const auto* text = node.as_string())
    {
        return text->get();
    }
    if (const auto* whole = node.as_integer())
    {
        return std::to_string(whole->get());
    }
    if (const auto* real = node.as_floating_point())
    {
        return dpdl::ShowNumber(real->get());
    }
    Refuse(path, node, "a text or a number");
}

StudyFile::Words
WordsOf(const std::string& path, const toml::node* node)
{
    StudyFile::Words words;
    if (node == nullptr)
    {
        return words;
    }
    if (!node->is_table())
    {
        Refuse(path, *node, "a table of options");
    }
    for (const auto& [key, value] : *node->as_table())
    {
        words.emplace_back(std::string(key.str()), TextOf(path, value));
    }
    return words;
}

std::vector<std::string>
ItemsOf(const std::string& path, const toml::node& node)
{
    if (!node.is_array() || node.as_array()->empty())
    {
        Refuse(path, node, "a list of values");
    }
    std::vector<std::string> items;
    for (const toml::node& item : *node.as_array())
    {
        items.push_back(TextOf(path, item));
    }
    return items;
}

/// The key of a rule, `NAME=VALUE, NAME=VALUE`.
StudyFile::Words
FactorsOf(const std::string& path, const toml::node& node, const std::string& key)
{
    StudyFile::Words factors;
    std::istringstream parts(key);
    for (std::string part; std::getline(parts, part, ',');)
    {
        part.erase(0, part.find_first_not_of(' '));
        const std::size_t equals = part.find('=');
        if (equals == std::string::npos)
        {
            Refuse(path, node, "a key of the form 'FACTOR=VALUE, FACTOR=VALUE'");
        }
        factors.emplace_back(part.substr(0, equals), part.substr(equals + 1));
    }
    return factors;
}

std::string
ReadText(const std::string& path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file)
    {
        throw UsageError("study file", path, "a file that can be read");
    }
    return text.str();
}

toml::table
Parse(const std::string& path, const std::string& text)
{
    try
    {
        return toml::parse(text);
    }
    catch (const toml::parse_error& error)
    {
        std::ostringstream what;
        what << "file '" << path << "', line " << error.source().begin.line << ": "
             << error.description();
        throw UsageError(what.str());
    }
}

} // namespace

StudyFile::StudyFile(const std::string& path)
    : m_path(path),
      m_text(ReadText(path))
{
    const toml::table file = Parse(path, m_text);
    m_settings = WordsOf(path, file.get("settings"));
    m_full = WordsOf(path, file.get("full"));
    if (const toml::table* vary = file["vary"].as_table())
    {
        for (const auto& [name, items] : *vary)
        {
            m_vary.emplace_back(std::string(name.str()), ItemsOf(path, items));
        }
    }
    if (const toml::array* also = file["also"].as_array())
    {
        for (const toml::node& variant : *also)
        {
            m_also.push_back(WordsOf(path, &variant));
        }
    }
    if (const toml::table* rules = file["where"].as_table())
    {
        for (const auto& [key, options] : *rules)
        {
            const std::string name(key.str());
            m_rules.push_back({FactorsOf(path, options, name), WordsOf(path, &options)});
        }
    }
    if (m_vary.empty() && m_also.empty())
    {
        throw UsageError("file '" + path + "': expected a table [vary] or a list [[also]]");
    }
}

StudyFile::Words
StudyFile::Settings(bool full) const
{
    // What stands first wins where the same option is given twice.
    Words settings = full ? m_full : Words();
    settings.insert(settings.end(), m_settings.begin(), m_settings.end());
    Words once;
    for (const auto& word : settings)
    {
        if (std::none_of(once.begin(), once.end(), [&word](const auto& other) {
                return other.first == word.first;
            }))
        {
            once.push_back(word);
        }
    }
    return once;
}

std::vector<StudyFile::Words>
StudyFile::Variants() const
{
    std::vector<Words> variants;
    if (!m_vary.empty())
    {
        variants = ns3::DpdlCampaign::Crossed(m_vary);
    }
    variants.insert(variants.end(), m_also.begin(), m_also.end());
    return variants;
}

bool
StudyFile::Applies(const Rule& rule, const Words& factors) const
{
    return std::all_of(rule.factors.begin(), rule.factors.end(), [&factors](const auto& wanted) {
        return std::find(factors.begin(), factors.end(), wanted) != factors.end();
    });
}

StudyFile::Words
StudyFile::ChangesOf(const Words& factors) const
{
    Words changes;
    for (const Rule& rule : m_rules)
    {
        if (Applies(rule, factors))
        {
            changes.insert(changes.end(), rule.options.begin(), rule.options.end());
        }
    }
    return changes;
}
