// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-helper.h"
#include "dpdl-scenario.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/make-run-origin.h"
#include "dpdl/experiment/option-table.h"

#include "ns3/command-line.h"

#include <algorithm>
#include <iostream>

// Parses the command line of DpdlScenario: options, queries, ns-3's attributes, and --resume.

namespace ns3
{

namespace
{

/// Quotes a word for a shell, if necessary.
std::string
Quoted(const std::string& word)
{
    const bool plain = word.find_first_of(" \t\n\"'\\$`*?[]{}()<>|&;#~!") == std::string::npos;
    std::string quoted;
    for (const char letter : word)
    {
        quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
    }
    return plain ? word : "'" + quoted + "'";
}

/// Words of the command line. `--name VALUE` becomes one word `--name=VALUE` if the option takes a
/// value.
std::vector<std::string>
Joined(int argc, char* argv[], const ::dpdl::OptionTable<::dpdl::RunOptions>& own)
{
    std::vector<std::string> words(argv, argv + argc);
    for (std::size_t i = 1; i + 1 < words.size(); ++i)
    {
        const std::string name = words[i].rfind("--", 0) == 0 ? words[i].substr(2) : "";
        const auto* const option =
            own.Find(name) != nullptr ? own.Find(name) : ::dpdl::LearningOptions().Find(name);
        if (option != nullptr && !option->isFlag && words[i + 1].rfind("--", 0) != 0)
        {
            words[i] += "=" + words[i + 1];
            words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        }
    }
    return words;
}

/// Text in the help between the meaning of an option and its accepted values.
const std::string ACCEPTS = "\n      accepts: ";

} // namespace

void
DpdlScenario::TakeGlobalSeed()
{
    const ::dpdl::RandomSeed defaults;
    const ::dpdl::RandomSeed global = DpdlHelper::GlobalSeed();
    if (global.seed != defaults.seed)
    {
        m_settings.seed.seed = global.seed;
        m_globalSeed.push_back("--seed=" + std::to_string(global.seed));
    }
    if (global.run != defaults.run)
    {
        m_settings.seed.run = global.run;
        m_globalSeed.push_back("--run=" + std::to_string(global.run));
    }
}

bool
DpdlScenario::ReadCommandLine(int argc, char* argv[])
{
    static const std::string RESUME = "--resume=";
    if (argc == 2 && !HasOtherRanks() && std::string(argv[1]).rfind(RESUME, 0) == 0)
    {
        return ReadOrigin(argv[1] + RESUME.size());
    }
    if (m_settings.resume.empty())
    {
        TakeGlobalSeed(); // a resumed run uses its recorded seed
    }
    m_words = Joined(argc, argv, m_own);
    for (const std::string& word : m_words)
    {
        // Leave out the path of the trace, which setting `trace` has, and options without effect on
        // the results.
        if (word.rfind("--trace=", 0) != 0 && word != "--overwrite" && word != "--quiet")
        {
            m_commandLine += (m_commandLine.empty() ? "" : " ") + Quoted(word);
        }
    }
    // A query such as `--PrintNeed` refers to all options of the command line, so move it to the
    // end.
    std::stable_partition(m_words.begin() + 1, m_words.end(), [](const std::string& word) {
        return word.rfind("--Print", 0) != 0 && word != "--CheckRuns" && word != "--options=json";
    });
    for (std::size_t i = 1; i < m_words.size(); ++i)
    {
        std::string argument = m_words[i];
        const std::string name = argument.substr(0, argument.find('='));
        const auto* const shared =
            ::dpdl::LearningOptions().Find(name.substr(std::min<size_t>(2, name.size())));
        const std::string& known = shared != nullptr ? "--" + shared->name : name;
        if (!m_given.insert(known).second && !(shared != nullptr && shared->isList))
        {
            ::dpdl::ThrowGivenTwice(argument);
        }
        if (argument == "--help" || argument == "-h" || argument == "--PrintHelp")
        {
            PrintHelp();
            return false;
        }
        if (argument == "--options=json")
        {
            const std::string own = m_own.Json();
            std::cout << "[" << own << (own.empty() ? "" : ",\n ")
                      << ::dpdl::LearningOptions().Json(m_settings) << "]\n";
            return false;
        }
        if (name == "--CheckRanks")
        {
            const std::string count = argument.substr(std::min(argument.size(), name.size() + 1));
            m_checkedRanks = static_cast<uint32_t>(
                ::dpdl::ParseInteger("argument '--CheckRanks'", count, 2, 10000));
            continue;
        }
        if (Answer(argument))
        {
            return false;
        }
        if (IsPrintedByNs3(argument))
        {
            char* forwarded[] = {argv[0], argument.data(), nullptr};
            ns3::CommandLine(m_name).Parse(2, forwarded);
            return false;
        }
        ReadArgument(argument);
    }
    m_settings = ::dpdl::WithRecipe(m_settings);
    // Add seed and run of NS_GLOBAL_VALUE to the recorded options: the environment may differ when
    // the run is resumed.
    for (const std::string& word : m_globalSeed)
    {
        if (m_given.count(word.substr(0, word.find('='))) == 0)
        {
            m_words.push_back(word);
        }
    }
    return true;
}

bool
DpdlScenario::ReadOrigin(const std::string& trace)
{
    ::dpdl::BegunRun run = ::dpdl::ReturnTo(trace, m_name);
    m_settings.resume = run.path;
    m_settings.trace = run.trace;
    std::vector<char*> arguments;
    for (std::string& word : run.words)
    {
        arguments.push_back(word.data());
    }
    return ReadCommandLine(static_cast<int>(arguments.size()), arguments.data());
}

void
DpdlScenario::ReadArgument(const std::string& argument)
{
    const ::dpdl::OptionArgument split = ::dpdl::SplitArgument(argument);
    const std::string& name = split.name;
    const std::string value = split.value.value_or("");
    if (name.rfind("ns3::", 0) == 0)
    {
        SetAttributeDefault(name, value);
        m_metadata.emplace_back(name, value);
        return;
    }
    const auto* const own = m_own.Find(name);
    const auto* const option = own != nullptr ? own : ::dpdl::LearningOptions().Find(name);
    DPDL_REFUSE_IF(option != nullptr && !split.value.has_value() && !option->isFlag,
                   "option '" + name + "' needs a value: --" + name + "=..., accepted is " +
                       option->accepted);
    if (own != nullptr)
    {
        own->set(m_settings, value);
        return;
    }
    ::dpdl::SetOption(m_settings, name, value);
}

void
DpdlScenario::WarnOfIdle(const std::vector<Conditional>& table)
{
    for (const Conditional& row : table)
    {
        for (const std::string& name : row.names)
        {
            if (!row.acts && IsGiven(name))
            {
                Warn("option '" + name + "' has no effect: it needs " + row.needs);
            }
        }
    }
}

void
DpdlScenario::PrintHelp() const
{
    const std::string own = m_own.Help(ACCEPTS);
    const std::string text =
        m_name + ": " + m_summary + "\n" + (own.empty() ? "" : "\nThis program:\n") + own +
        ::dpdl::LearningOptions().Help(ACCEPTS, m_settings) + "\nExample: ./dpdl run " + m_name +
        " --rounds=50 --epsilon=3 --fail='node 3 crash at 100ms for 1s'\n./dpdl run " + m_name +
        " --config=FILE.toml takes options from a file; those of the command line win.\nAny "
        "attribute: --ns3::DpdlApplication::NAME=VALUE; "
        "--PrintAttributes=ns3::DpdlApplication lists them.\n";
    std::cout << ::dpdl::AsTyped(text);
}

} // namespace ns3
