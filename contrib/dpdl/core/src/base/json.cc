// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/json.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <algorithm>
#include <array>
#include <boost/iterator/transform_iterator.hpp>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

// Wraps the SAX parser of nlohmann/json. JsonBuilder makes values with their line numbers, and
// converts parser errors to one line.

namespace dpdl
{

namespace
{

/// Builds a JsonValue from the parser's SAX events.
class JsonBuilder : public nlohmann::json_sax<nlohmann::json>
{
  public:
    JsonBuilder(const std::string& text, const std::string& place)
        : m_text(text),
          m_place(place),
          m_last(text.data()),
          m_counted(text.data())
    {
    }

    JsonValue Read()
    {
        const auto input = [this](const char* at) {
            return boost::make_transform_iterator(at, [this](const char& letter) {
                m_last = &letter;
                return letter;
            });
        };
        nlohmann::json::sax_parse(input(m_text.data()), input(m_text.data() + m_text.size()), this);
        return std::move(m_root);
    }

    bool null() override
    {
        return Add(nullptr);
    }

    bool boolean(bool value) override
    {
        return Add(value);
    }

    bool number_integer(std::int64_t value) override
    {
        return Add(static_cast<double>(value));
    }

    bool number_unsigned(std::uint64_t value) override
    {
        return Add(static_cast<double>(value));
    }

    bool number_float(double value, const std::string& /* text */) override
    {
        return Add(value);
    }

    bool string(std::string& value) override
    {
        return Add(std::move(value));
    }

    bool binary(nlohmann::json::binary_t& /* value */) override
    {
        return false;
    }

    bool start_object(std::size_t /* members */) override
    {
        return Open(JsonValue::Object());
    }

    bool start_array(std::size_t /* items */) override
    {
        return Open(JsonValue::List());
    }

    bool end_object() override
    {
        m_open.pop_back();
        return true;
    }

    bool end_array() override
    {
        return end_object();
    }

    bool key(std::string& name) override
    {
        if (m_open.back()->Find(name) != nullptr)
        {
            Fail(Position(), "'" + Excerpt(name) + "' only once in an object");
        }
        auto& members = std::get<JsonValue::Object>(m_open.back()->value);
        members.emplace_back().first = std::move(name);
        return true;
    }

    bool parse_error(std::size_t position,
                     const std::string& /* token */,
                     const nlohmann::json::exception& error) override
    {
        // Keep only the reason. The exception's text also has a type, a position and the refused
        // JSON text; Fail() adds position and text.
        std::string reason = error.what();
        reason = reason.substr(reason.find("] ") + 2);
        reason = reason.substr(0, reason.find("; last read"));
        if (const auto colon = reason.find(": "); reason.rfind("parse error at", 0) == 0)
        {
            reason = reason.substr(colon + 2);
        }
        Fail(std::max<std::size_t>(position, 1) - 1, "JSON (" + reason + ")");
    }

  private:
    std::size_t Position() const
    {
        return static_cast<std::size_t>(m_last - m_text.data());
    }

    [[noreturn]] void Fail(std::size_t at, const std::string& expected) const
    {
        const std::size_t before = at == 0 ? std::string::npos : m_text.rfind('\n', at - 1);
        const std::size_t lineStart = before == std::string::npos ? 0 : before + 1;
        const auto begin = m_text.begin();
        const auto line = std::count(begin, begin + static_cast<std::ptrdiff_t>(lineStart), '\n');
        throw UsageError(m_place + ", line " + std::to_string(line + 1) + ", column " +
                             std::to_string(at - lineStart + 1),
                         at < m_text.size() ? m_text.substr(at, 20) : "the end of the text",
                         expected);
    }

    /// Stores a value in the innermost unfinished list or object, or as the root. The value gets
    /// the line number of the last character read.
    JsonValue& Put(decltype(JsonValue::value)&& value)
    {
        JsonValue* place = &m_root;
        if (!m_open.empty())
        {
            if (auto* const list = std::get_if<JsonValue::List>(&m_open.back()->value))
            {
                place = &list->emplace_back();
            }
            else
            {
                place = &std::get<JsonValue::Object>(m_open.back()->value).back().second;
            }
        }
        m_line += static_cast<std::size_t>(std::count(m_counted, m_last, '\n'));
        m_counted = m_last;
        place->line = m_line;
        place->value = std::move(value);
        return *place;
    }

    template <typename T>
    bool Add(T&& value)
    {
        Put(std::forward<T>(value));
        return true;
    }

    bool Open(decltype(JsonValue::value)&& value)
    {
        if (m_open.size() == DEEPEST_JSON)
        {
            Fail(Position(),
                 "at most " + std::to_string(DEEPEST_JSON) +
                     " lists and objects inside each other");
        }
        m_open.push_back(&Put(std::move(value)));
        return true;
    }

    const std::string& m_text;      ///< text that is parsed
    const std::string& m_place;     ///< name of the text in errors
    JsonValue m_root;               ///< value of the whole text
    std::vector<JsonValue*> m_open; ///< unfinished lists and objects, from the root to the
                                    ///< innermost one
    const char* m_last;             ///< address of the last character that the parser has read
    const char* m_counted;          ///< address up to which m_line counts newlines
    std::size_t m_line{1};          ///< line number at m_counted
};

} // namespace

std::string
JsonText(const std::string& text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string
JsonTexts(const std::vector<std::string>& texts)
{
    std::string list;
    for (const std::string& text : texts)
    {
        list += (list.empty() ? "" : ", ") + JsonText(text);
    }
    return "[" + list + "]";
}

std::string
JsonNumber(double value)
{
    if (std::isnan(value))
    {
        return "null";
    }
    if (std::isinf(value))
    {
        return value > 0.0 ? "\"inf\"" : "\"-inf\"";
    }
    return ShowNumber(value);
}

std::string
JsonNumber(const std::optional<double>& value)
{
    return value ? JsonNumber(*value) : "null";
}

const char*
JsonValue::TypeName() const
{
    constexpr std::array<const char*, 6> names{"null",
                                               "true or false",
                                               "number",
                                               "text",
                                               "list",
                                               "object"};
    return names.at(value.index());
}

const JsonValue*
JsonValue::Find(const std::string& name) const
{
    const auto* const members = std::get_if<Object>(&value);
    if (members == nullptr)
    {
        return nullptr;
    }
    for (const auto& [known, member] : *members)
    {
        if (known == name)
        {
            return &member;
        }
    }
    return nullptr;
}

JsonValue
ParseJson(const std::string& text, const std::string& place)
{
    return JsonBuilder(text, place).Read();
}

} // namespace dpdl
