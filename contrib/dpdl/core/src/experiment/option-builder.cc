// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "option-builder.h"

#include <algorithm>

namespace dpdl
{

namespace
{

/// What stands before the factor of slow nodes.
const std::string HETEROGENEOUS = ":heterogeneous=";

/// Reads `fixed:10ms:heterogeneous=3` and the like.
void
ParseCompute(const std::string& what, const std::string& text, RunSettings& settings)
{
    const std::size_t end = text.find(HETEROGENEOUS);
    double heterogeneity = 1.0;
    if (end != std::string::npos)
    {
        heterogeneity = ParseNumber(what,
                                    text.substr(end + HETEROGENEOUS.size()),
                                    "a factor >= 1",
                                    [](double value) { return value >= 1.0; });
    }
    const std::string model = text.substr(0, end);
    const std::size_t colon = std::min(model.find(':'), model.size());
    const std::string kind = model.substr(0, colon);
    const std::string value = model.substr(std::min(colon + 1, model.size()));
    const std::vector<std::string> kinds = ComputeKinds().AvailableNames();
    const bool known = std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
    if (!known || (kind == "measured") != value.empty())
    {
        throw UsageError(what, text, "fixed:TIME such as fixed:10ms, measured, or profile:NAME");
    }
    const ComputeKind found = ComputeKinds().Get(kind);
    if (found == ComputeKind::FIXED)
    {
        settings.computeSeconds = ParseSeconds(what, value);
    }
    if (found == ComputeKind::PROFILE)
    {
        ComputeProfiles().Get(value);
        settings.computeProfile = value;
    }
    settings.compute = found;
    settings.heterogeneity = heterogeneity;
}

/// As ParseCompute() reads it.
std::string
ShowCompute(const RunSettings& settings)
{
    std::string text = ComputeKinds().NameOf(settings.compute);
    if (settings.compute == ComputeKind::FIXED)
    {
        text += ":" + ShowNumber(settings.computeSeconds) + "s";
    }
    if (settings.compute == ComputeKind::PROFILE)
    {
        text += ":" + settings.computeProfile;
    }
    return settings.heterogeneity > 1.0 ? text + HETEROGENEOUS + ShowNumber(settings.heterogeneity)
                                        : text;
}

/// What stands before the path of a file with values of single links.
const std::string LINK_FILE_PREFIX = "file:";

} // namespace

void
OptionBuilder::Text(const std::string& name,
                    const std::string& shownDefault,
                    const std::string& accepted,
                    const std::string& meaning,
                    std::string RunSettings::*field)
{
    auto set = [name, accepted, field](RunSettings& settings, const std::string& text) {
        if (text.empty() && !(RunSettings{}.*field).empty())
        {
            throw UsageError(Title(name), text, accepted);
        }
        settings.*field = text;
    };
    auto show = [field](const RunSettings& settings) { return settings.*field; };
    m_table.push_back({name, shownDefault, accepted, meaning, false, set, show});
}

void
OptionBuilder::Real(const std::string& name,
                    const std::string& accepted,
                    const std::string& meaning,
                    double RunSettings::*field,
                    bool (*accept)(double))
{
    auto set = [=](RunSettings& settings, const std::string& text) {
        settings.*field = ParseNumber(Title(name), text, accepted, accept);
    };
    auto show = [field](const RunSettings& settings) { return ShowNumber(settings.*field); };
    m_table.push_back({name, show(RunSettings{}), accepted, meaning, false, set, show});
}

void
OptionBuilder::Positive(const std::string& name,
                        const std::string& meaning,
                        std::optional<double> RunSettings::*field,
                        const std::string& emptyName)
{
    const bool mayBeEmptied = emptyName != OF_THE_PRESET;
    const std::string accepted = (mayBeEmptied ? emptyName + ", or " : "") + "a number > 0";
    auto set = [=](RunSettings& settings, const std::string& text) {
        if (mayBeEmptied && text == emptyName)
        {
            settings.*field = std::nullopt;
            return;
        }
        settings.*field =
            ParseNumber(Title(name), text, accepted, [](double value) { return value > 0.0; });
    };
    auto show = [field, emptyName](const RunSettings& settings) {
        return (settings.*field).has_value() ? ShowNumber(*(settings.*field)) : emptyName;
    };
    m_table.push_back({name, emptyName, accepted, meaning, false, set, show});
}

void
OptionBuilder::OfLinks(const std::string& name,
                       const std::string& shownDefault,
                       const std::string& accepted,
                       const std::string& meaning,
                       double RunSettings::*field,
                       double (*parse)(const std::string&, const std::string&),
                       const std::string& unit,
                       std::string LinkFiles::*file)
{
    auto set = [=](RunSettings& settings, const std::string& text) {
        if (text.rfind(LINK_FILE_PREFIX, 0) == 0)
        {
            if (text == LINK_FILE_PREFIX)
            {
                throw UsageError(Title(name), text, LINK_FILE_PREFIX + "PATH");
            }
            settings.linkFiles.*file = text.substr(LINK_FILE_PREFIX.size());
            return;
        }
        settings.*field = parse(Title(name), text);
        (settings.linkFiles.*file).clear();
    };
    auto show = [=](const RunSettings& settings) {
        const std::string& path = settings.linkFiles.*file;
        return path.empty() ? ShowNumber(settings.*field) + unit : LINK_FILE_PREFIX + path;
    };
    m_table.push_back({name,
                       shownDefault,
                       accepted + ", or " + LINK_FILE_PREFIX + "PATH",
                       meaning,
                       false,
                       set,
                       show});
}

void
OptionBuilder::Flag(const std::string& name, const std::string& meaning, bool RunSettings::*field)
{
    auto set = [name, field](RunSettings& settings, const std::string& text) {
        const Names<bool> names{{"true", true}, {"false", false}};
        settings.*field = text.empty() ? true : *Find(name, text, names, {});
    };
    auto show = [field](const RunSettings& settings) { return settings.*field ? "true" : "false"; };
    m_table.push_back({name, "false", "no value", meaning, true, set, show});
}

void
OptionBuilder::Seed(const std::string& name,
                    const std::string& meaning,
                    std::uint32_t& (*field)(RunSettings&))
{
    auto set = [name, field](RunSettings& settings, const std::string& text) {
        constexpr std::uint64_t high = std::numeric_limits<std::uint32_t>::max();
        field(settings) = static_cast<std::uint32_t>(ParseInteger(Title(name), text, 1, high));
    };
    auto show = [field](const RunSettings& settings) {
        RunSettings copy = settings;
        return std::to_string(field(copy));
    };
    m_table.push_back({name, "1", "a whole number >= 1", meaning, false, set, show});
}

void
OptionBuilder::Epsilon(const std::string& name, const std::string& meaning)
{
    auto set = [name](RunSettings& settings, const std::string& text) {
        settings.epsilon = NodeEpsilons::Parse(Title(name), text);
    };
    auto show = [](const RunSettings& settings) { return settings.epsilon.Text(); };
    m_table.push_back(
        {name, show(RunSettings{}), NodeEpsilons::Accepted(), meaning, false, set, show});
}

void
OptionBuilder::DeadlineOption(const std::string& name, const std::string& meaning)
{
    const std::string accepted = "auto, none, or a time > 0 such as 200ms";
    auto set = [name, accepted](RunSettings& settings, const std::string& text) {
        Deadline deadline{text == "none" ? Deadline::Kind::NONE : Deadline::Kind::AUTO, 0.0};
        if (text != "auto" && text != "none")
        {
            deadline = {Deadline::Kind::TIME, ParseSeconds(Title(name), text)};
            if (deadline.seconds <= 0.0)
            {
                throw UsageError(Title(name), text, accepted);
            }
        }
        settings.deadline = deadline;
    };
    auto show = [](const RunSettings& settings) {
        switch (settings.deadline.kind)
        {
        case Deadline::Kind::AUTO:
            return std::string("auto");
        case Deadline::Kind::NONE:
            return std::string("none");
        case Deadline::Kind::TIME:
            break;
        }
        return ShowNumber(settings.deadline.seconds) + "s";
    };
    m_table.push_back({name, "auto", accepted, meaning, false, set, show});
}

void
OptionBuilder::Chunk(const std::string& name, const std::string& meaning)
{
    const std::string accepted = "none, or a number of bytes that is a multiple of 4";
    auto set = [name, accepted](RunSettings& settings, const std::string& text) {
        const bool isWhole = text == "none";
        constexpr std::uint64_t high = std::numeric_limits<std::uint32_t>::max();
        const std::uint64_t bytes = isWhole ? 0 : ParseInteger(Title(name), text, 4, high);
        if (bytes % sizeof(float) != 0)
        {
            throw UsageError(Title(name), text, accepted);
        }
        settings.chunkBytes = bytes;
    };
    auto show = [](const RunSettings& settings) {
        return settings.chunkBytes == 0 ? "none" : std::to_string(settings.chunkBytes);
    };
    m_table.push_back({name, "none", accepted, meaning, false, set, show});
}

void
OptionBuilder::Share(const std::string& name, const std::string& meaning)
{
    auto set = [name](RunSettings& settings, const std::string& text) {
        constexpr std::uint64_t high = std::numeric_limits<std::uint32_t>::max();
        settings.share.reset();
        if (text != "auto")
        {
            settings.share = text == "all" ? 0 : ParseInteger(Title(name), text, 1, high);
        }
    };
    auto show = [](const RunSettings& settings) -> std::string {
        const std::size_t parts = settings.share.value_or(0);
        return !settings.share ? "auto" : parts == 0 ? "all" : std::to_string(parts);
    };
    const std::string accepted = "auto, all, or a number of parts of `list models NAME`";
    m_table.push_back({name, "auto", accepted, meaning, false, set, show});
}

void
OptionBuilder::OptionalCount(const std::string& name,
                             const std::string& meaning,
                             std::optional<Round> RunSettings::*field)
{
    const std::string accepted = "auto, or a whole number >= 0";
    auto set = [=](RunSettings& settings, const std::string& text) {
        constexpr std::uint64_t high = std::numeric_limits<std::uint32_t>::max();
        settings.*field = std::nullopt;
        if (text != "auto")
        {
            settings.*field = static_cast<Round>(ParseInteger(Title(name), text, 0, high));
        }
    };
    auto show = [field](const RunSettings& settings) {
        return (settings.*field).has_value() ? std::to_string(*(settings.*field)) : "auto";
    };
    m_table.push_back({name, "auto", accepted, meaning, false, set, show});
}

void
OptionBuilder::Compute(const std::string& name, const std::string& meaning)
{
    auto set = [name](RunSettings& settings, const std::string& text) {
        ParseCompute(Title(name), text, settings);
    };
    m_table.push_back({name,
                       "fixed:10ms",
                       "fixed:TIME, measured, or profile:NAME, and :heterogeneous=S behind it",
                       meaning,
                       false,
                       set,
                       ShowCompute});
}

void
OptionBuilder::List(const std::string& name,
                    const std::string& accepted,
                    const std::string& meaning,
                    std::vector<std::string> RunSettings::*field,
                    bool addsUp)
{
    auto set = [field, addsUp](RunSettings& settings, const std::string& text) {
        std::vector<std::string>& texts = settings.*field;
        if (!addsUp || text.empty())
        {
            texts.clear();
        }
        texts.insert(texts.end(), text.empty() ? 0 : 1, text);
    };
    auto show = [field](const RunSettings& settings) {
        std::string shown;
        for (const std::string& text : settings.*field)
        {
            shown += (shown.empty() ? "" : "; ") + text;
        }
        return shown;
    };
    m_table.push_back({name, "", accepted, meaning, false, set, show, addsUp});
}

} // namespace dpdl
