// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../pieces.h"
#include "../usage-message.h"
#include "dpdl/base/json.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

TEST(Json, TextIsQuotedAndKeepsItsCharacters)
{
    EXPECT_EQ(JsonText(""), "\"\"");
    EXPECT_EQ(JsonText("a \"b\" c:\\d"), "\"a \\\"b\\\" c:\\\\d\"");
    EXPECT_EQ(JsonText("a\nb\x01"), "\"a\\nb\\u0001\"") << "JSON allows no control character";
    EXPECT_EQ(JsonText("\xc3\xa4"), "\"\xc3\xa4\"");
}

TEST(Json, NumbersReadBackAsTheSameDouble)
{
    EXPECT_EQ(JsonNumber(1.0), "1");
    for (const double value : {0.1, 1.0 / 3.0, 5e-324, -1.7976931348623157e308})
    {
        EXPECT_EQ(std::strtod(JsonNumber(value).c_str(), nullptr), value);
    }
}

TEST(Json, HasAWordForWhatIsNoNumber)
{
    EXPECT_EQ(JsonNumber(INFINITY), "\"inf\"");
    EXPECT_EQ(JsonNumber(-INFINITY), "\"-inf\"");
    EXPECT_EQ(JsonNumber(std::nan("")), "null");
    EXPECT_EQ(JsonNumber(std::optional<double>()), "null");
    EXPECT_EQ(JsonNumber(std::optional<double>(2.5)), "2.5");
}

std::string
Message(const std::string& text)
{
    return UsageMessage([&text] { ParseJson(text, "file"); });
}

std::string
StringOf(const std::string& text)
{
    return std::get<std::string>(ParseJson(text, "file").value);
}

TEST(JsonValue, HasTheValuesOfItsTextInTheirOrder)
{
    const JsonValue whole =
        ParseJson("{\"b\": [1, -2.5e3, true,\n null], \"a\": {}, \"c\": \"x\"}", "file");
    const auto& object = std::get<JsonValue::Object>(whole.value);
    ASSERT_EQ(object.size(), 3U);
    EXPECT_EQ(object[0].first, "b");
    const auto& list = std::get<JsonValue::List>(whole.Find("b")->value);
    ASSERT_EQ(list.size(), 4U);
    EXPECT_EQ(std::get<double>(list[1].value), -2500.0);
    EXPECT_TRUE(std::get<bool>(list[2].value));
    EXPECT_EQ(list[3].line, 2U);
    EXPECT_STREQ(list[3].TypeName(), "null");
    EXPECT_EQ(whole.Find("d"), nullptr);
    EXPECT_EQ(list[0].Find("b"), nullptr);
}

TEST(JsonValue, ReadsWhatTheProgramsWrite)
{
    for (const std::string text : {"", "a \"b\" c:\\d", "a\nb\x01", "\xc3\xa4"})
    {
        EXPECT_EQ(StringOf(JsonText(text)), text);
    }
    for (const double number : {0.0, 0.1, 1.0 / 3.0, -1.7976931348623157e308})
    {
        EXPECT_EQ(std::get<double>(ParseJson(JsonNumber(number), "file").value), number);
    }
}

TEST(JsonValue, EscapesAreCharacters)
{
    EXPECT_EQ(StringOf(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
    EXPECT_EQ(StringOf(R"("\u0041\u00e4\u20ac\ud83d\ude00")"),
              "A\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
}

TEST(JsonValue, OtherTextsAreRefused)
{
    const std::string wrong = R"(|{|[1,]|{"a":1,}|{a:1}|[1 2]|1 2|01|+1|.5|1.|1e|1e999|-|nan|inf)"
                              R"(|tru|'a'|"a|"\x"|"\u12"|"\ud800"|"\ud800\u0041"|"\ude00")"
                              "|{\"a\":1,\"a\":2}|\"a\nb\"";
    for (const std::string& text : Pieces(wrong, '|'))
    {
        EXPECT_EQ(Message(text).rfind("file, line ", 0), 0U) << text << ": " << Message(text);
        EXPECT_EQ(Message(text).find('\n'), std::string::npos) << text;
    }
}

TEST(JsonValue, ErrorsHaveLineAndColumn)
{
    EXPECT_EQ(Message("{\n  \"a\": x\n}").rfind("file, line 2, column 8: 'x", 0), 0U);
}

TEST(JsonValue, DepthHasALimit)
{
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '[') + std::string(depth, ']');
    };
    EXPECT_EQ(Message(nested(DEEPEST_JSON)), "accepted");
    EXPECT_NE(Message(nested(DEEPEST_JSON + 1)), "accepted");
    EXPECT_NE(Message(std::string(1000000, '[')), "accepted");
}

} // namespace
} // namespace dpdl
