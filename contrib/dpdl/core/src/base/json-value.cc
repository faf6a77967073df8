// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/base/json.h"
#include "dpdl/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <set>
#include <string_view>

namespace dpdl
{

namespace
{

constexpr std::uint32_t HIGH_SURROGATES = 0xd800;
constexpr std::uint32_t LOW_SURROGATES = 0xdc00;
constexpr std::uint32_t BEHIND_SURROGATES = 0xe000;

void
AppendUtf8(std::uint32_t code, std::string& text)
{
    const auto append = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (code < 0x80)
    {
        append(code);
        return;
    }
    const unsigned more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr std::array<std::uint32_t, 4> lead{0, 0xc0, 0xe0, 0xf0};
    append(lead.at(more) | code >> (6 * more));
    for (unsigned i = more; i-- > 0;)
    {
        append(0x80 | (code >> (6 * i) & 0x3f));
    }
}

/// Goes through a text once.
class JsonReader
{
  public:
    JsonReader(const std::string& text, const std::string& place)
        : m_text(text),
          m_place(place)
    {
    }

    JsonValue Read()
    {
        JsonValue value = Value(0);
        SkipBlanks();
        if (m_at < m_text.size())
        {
            Fail("the end of the text");
        }
        return value;
    }

  private:
    [[noreturn]] void Fail(const std::string& expected) const
    {
        const std::size_t lineStart = m_text.rfind('\n', m_at == 0 ? 0 : m_at - 1);
        const std::size_t column = m_at - (lineStart < m_at ? lineStart + 1 : 0) + 1;
        throw UsageError(m_place + ", line " + std::to_string(m_line) + ", column " +
                             std::to_string(column),
                         m_at < m_text.size() ? m_text.substr(m_at, 20) : "the end of the text",
                         expected);
    }

    void SkipBlanks()
    {
        for (; m_at < m_text.size() &&
               std::string_view(" \t\r\n").find(m_text[m_at]) != std::string_view::npos;
             ++m_at)
        {
            m_line += m_text[m_at] == '\n' ? 1 : 0;
        }
    }

    /// The next character, NUL at the end.
    char Next() const
    {
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }

    /// Whether the next character is this one, which is then passed.
    bool Take(char letter)
    {
        SkipBlanks();
        const bool isThere = m_at < m_text.size() && m_text[m_at] == letter;
        m_at += isThere ? 1 : 0;
        return isThere;
    }

    bool TakeWord(std::string_view word)
    {
        const bool isThere = m_text.compare(m_at, word.size(), word) == 0;
        m_at += isThere ? word.size() : 0;
        return isThere;
    }

    JsonValue Value(std::size_t depth)
    {
        SkipBlanks();
        JsonValue value;
        value.line = m_line;
        const char first = Next();
        if ((first == '{' || first == '[') && depth == DEEPEST_JSON)
        {
            Fail("at most " + std::to_string(DEEPEST_JSON) +
                 " lists and objects inside each other");
        }
        if (Take('{'))
        {
            value.value = Members(depth + 1);
        }
        else if (Take('['))
        {
            value.value = Items(depth + 1);
        }
        else if (first == '"')
        {
            value.value = Text();
        }
        else if (first == '-' || (first >= '0' && first <= '9'))
        {
            value.value = Number();
        }
        else if (TakeWord("true"))
        {
            value.value = true;
        }
        else if (TakeWord("false"))
        {
            value.value = false;
        }
        else if (!TakeWord("null"))
        {
            Fail("a JSON value");
        }
        return value;
    }

    JsonValue::List Items(std::size_t depth)
    {
        JsonValue::List items;
        if (Take(']'))
        {
            return items;
        }
        do
        {
            items.push_back(Value(depth));
        } while (Take(','));
        if (!Take(']'))
        {
            Fail("',' or ']'");
        }
        return items;
    }

    JsonValue::Object Members(std::size_t depth)
    {
        JsonValue::Object members;
        std::set<std::string> names;
        if (Take('}'))
        {
            return members;
        }
        do
        {
            SkipBlanks();
            if (Next() != '"')
            {
                Fail("a name in quotation marks");
            }
            std::string name = Text();
            if (!names.insert(name).second)
            {
                Fail("'" + Excerpt(name) + "' only once in an object");
            }
            if (!Take(':'))
            {
                Fail("':'");
            }
            members.emplace_back(std::move(name), Value(depth));
        } while (Take(','));
        if (!Take('}'))
        {
            Fail("',' or '}'");
        }
        return members;
    }

    /// The next number must be one of JSON, which knows no `+1`, `01`, `.5` and `1.`.
    double Number()
    {
        const std::size_t begin = m_at;
        const auto digits = [this] {
            const std::size_t first = m_at;
            while (Next() >= '0' && Next() <= '9')
            {
                ++m_at;
            }
            return m_at - first;
        };
        m_at += Next() == '-' ? 1 : 0;
        const bool startsWithZero = Next() == '0';
        const std::size_t whole = digits();
        bool isNumber = whole == 1 || (whole > 1 && !startsWithZero);
        if (Next() == '.')
        {
            ++m_at;
            isNumber = digits() > 0 && isNumber;
        }
        if (Next() == 'e' || Next() == 'E')
        {
            ++m_at;
            m_at += Next() == '+' || Next() == '-' ? 1 : 0;
            isNumber = digits() > 0 && isNumber;
        }
        double number = 0.0;
        const auto read = std::from_chars(m_text.data() + begin, m_text.data() + m_at, number);
        if (!isNumber || read.ec != std::errc())
        {
            m_at = begin;
            Fail("a number of JSON within double precision");
        }
        return number;
    }

    std::string Text()
    {
        std::string text;
        for (++m_at; Next() != '"'; ++m_at)
        {
            const auto byte = static_cast<unsigned char>(Next());
            if (m_at >= m_text.size() || byte < 0x20)
            {
                Fail("a text that ends with a quotation mark on its line");
            }
            if (byte == '\\')
            {
                Escape(text);
                continue;
            }
            text += Next();
        }
        ++m_at;
        return text;
    }

    /// From the backslash to the last letter of an escape.
    void Escape(std::string& text)
    {
        constexpr std::string_view letters = "\"\\/bfnrt";
        constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        ++m_at;
        const std::size_t found = letters.find(Next());
        if (m_at < m_text.size() && found != std::string_view::npos)
        {
            text += meanings[found];
            return;
        }
        std::uint32_t code = CodeUnit();
        if (code >= HIGH_SURROGATES && code < LOW_SURROGATES && TakeWord("\\"))
        {
            const std::uint32_t low = CodeUnit();
            const bool isPair = low >= LOW_SURROGATES && low < BEHIND_SURROGATES;
            code = isPair ? 0x10000 + ((code - HIGH_SURROGATES) << 10U) + (low - LOW_SURROGATES)
                          : HIGH_SURROGATES;
        }
        if (code >= HIGH_SURROGATES && code < BEHIND_SURROGATES)
        {
            Fail("a pair of surrogates");
        }
        AppendUtf8(code, text);
        --m_at;
    }

    /// The number behind `u`, which is passed.
    std::uint32_t CodeUnit()
    {
        constexpr std::size_t digits = 4;
        std::uint32_t code = 0;
        const char* const begin = m_text.data() + std::min(m_at + 1, m_text.size());
        const char* const end = m_text.data() + std::min(m_at + 1 + digits, m_text.size());
        if (Next() != 'u' || std::from_chars(begin, end, code, 16).ptr != begin + digits)
        {
            Fail("an escape of JSON");
        }
        m_at += 1 + digits;
        return code;
    }

    const std::string& m_text;  ///< all of it
    const std::string& m_place; ///< how errors name it
    std::size_t m_at{0};        ///< index of the next character
    std::size_t m_line{1};      ///< its line
};

} // namespace

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
    return JsonReader(text, place).Read();
}

} // namespace dpdl
