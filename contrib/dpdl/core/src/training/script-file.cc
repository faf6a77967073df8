// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "net-file.h"
#include "net-kinds.h"

#include <filesystem>

// Parsing of model files that refer to a TorchScript file.

namespace dpdl
{

namespace
{

bool
TakeText(const JsonValue& value, std::string& text)
{
    const auto* const found = std::get_if<std::string>(&value.value);
    text = found != nullptr ? *found : "";
    return !text.empty();
}

bool
TakeTruth(const JsonValue& value, bool& truth)
{
    const auto* const found = std::get_if<bool>(&value.value);
    truth = found != nullptr && *found;
    return found != nullptr;
}

} // namespace

std::optional<ScriptFile>
ParseScriptFile(const JsonValue& whole, const std::string& path)
{
    const std::string place = "model file '" + path + "'";
    if (whole.Find("script") == nullptr)
    {
        return {};
    }
    ScriptFile file;
    file.path = path;
    using Take = std::function<bool(const JsonValue&)>;
    const std::map<std::string, Take> keys{
        {"format", [](const JsonValue& value) { return ShowJson(value) == "dpdl-net-1"; }},
        {"input", [&](const JsonValue& value) { return TakeShape(value, file.input); }},
        {"script", [&](const JsonValue& value) { return TakeText(value, file.script); }},
        {"scores", [&](const JsonValue& value) { return TakeWhole(value, 1, file.scores); }},
        {"tokens", [&](const JsonValue& value) { return TakeWhole(value, 0, file.tokens); }},
        {"whole", [&](const JsonValue& value) { return TakeTruth(value, file.isWhole); }},
        {"reason", [&](const JsonValue& value) { return TakeText(value, file.reason); }}};
    for (const auto& [name, take] : keys)
    {
        const JsonValue* const value = whole.Find(name);
        DPDL_REFUSE_IF(value == nullptr || !take(*value),
                       place + ", " + name,
                       value == nullptr ? "nothing" : ShowJson(*value),
                       "what dpdl.export_model writes there");
    }
    for (const auto& [name, value] : std::get<JsonValue::Object>(whole.value))
    {
        DPDL_REFUSE_IF(keys.count(name) == 0,
                       place + ", key",
                       name,
                       "none beside a script but those of its export");
    }
    file.script = (std::filesystem::path(path).parent_path() / file.script).string();
    return file;
}

} // namespace dpdl
