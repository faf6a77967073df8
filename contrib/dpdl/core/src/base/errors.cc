// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"

#include <boost/algorithm/string/replace.hpp>
#include <cstdlib>
#include <iostream>
#include <new>

namespace dpdl
{

namespace
{

/// True for a character that could mislead a reader of a terminal. Such a character changes the
/// text direction or ends a line (U+061C, U+200E to U+200F, U+2028 to U+202E, U+2066 to U+2069), is
/// invisible (U+00AD, U+180E, U+200B, U+2060 to U+2064, U+FEFF, U+E0000 to U+E007F), or looks like
/// a blank that separates words (U+00A0).
bool
IsFormat(const std::string& letter)
{
    const auto isWithin = [&letter](const char* first, const char* last) {
        return letter >= first && letter <= last;
    };
    return letter == "\xc2\xa0" || letter == "\xc2\xad" || letter == "\xe2\x80\x8b" ||
           letter == "\xe1\xa0\x8e" || letter == "\xef\xbb\xbf" ||
           isWithin("\xe2\x81\xa0", "\xe2\x81\xa4") || letter == "\xd8\x9c" ||
           isWithin("\xe2\x80\x8e", "\xe2\x80\x8f") ||
           isWithin("\xf3\xa0\x80\x80", "\xf3\xa0\x81\xbf") ||
           isWithin("\xe2\x80\xa8", "\xe2\x80\xae") || isWithin("\xe2\x81\xa6", "\xe2\x81\xa9");
}

/// Length in bytes of the UTF-8 character at byte index @p place; 0 if it is invalid or unsafe to
/// print on a terminal.
std::size_t
PrintableAt(const std::string& text, std::size_t place)
{
    const auto byte = [&text](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const unsigned first = byte(place);
    if (first < 0x80)
    {
        return first >= ' ' && first <= '~' ? 1 : 0;
    }
    const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    for (std::size_t i = 1; i < bytes; ++i)
    {
        if ((byte(place + i) & 0xc0U) != 0x80)
        {
            return 0;
        }
    }
    // U+0080 to U+009F are also control characters.
    const bool isControl = first == 0xc2 && byte(place + 1) < 0xa0;
    const bool isHidden = isControl || IsFormat(text.substr(place, bytes));
    return first < 0xc2 || first > 0xf4 || isHidden ? 0 : bytes;
}

std::string
Escaped(const std::string& text)
{
    static const std::string DIGITS = "0123456789abcdef";
    static const std::string NAMED = "\n\t\r";
    std::string escaped;
    for (std::size_t i = 0; i < text.size();)
    {
        if (const std::size_t bytes = PrintableAt(text, i))
        {
            escaped.append(text, i, bytes);
            i += bytes;
            continue;
        }
        const auto byte = static_cast<unsigned char>(text[i++]);
        const std::size_t name = NAMED.find(static_cast<char>(byte));
        escaped += name != std::string::npos
                       ? std::string{'\\', "ntr"[name]}
                       : std::string{'\\', 'x', DIGITS[byte >> 4U], DIGITS[byte & 15U]};
    }
    return escaped;
}

/// Smallest byte index, from @p place on, at which a UTF-8 character begins; text.size() if there
/// is none.
std::size_t
StartOf(const std::string& text, std::size_t place)
{
    while (place < text.size() && (static_cast<unsigned char>(text[place]) & 0xc0U) == 0x80)
    {
        ++place;
    }
    return place;
}

/// Longest prefix of whole UTF-8 characters with at most @p bytes bytes.
/// @param bytes at most text.size()
std::string
CutAt(const std::string& text, std::size_t bytes)
{
    while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0U) == 0x80)
    {
        --bytes;
    }
    return text.substr(0, bytes);
}

} // namespace

UsageError::UsageError(const std::string& what,
                       const std::string& value,
                       const std::string& accepted)
    : Error(what + ": '" + Excerpt(value) + "' is not accepted; expected " + accepted)
{
}

UsageError::UsageError(const std::string& line)
    : Error(line)
{
}

std::string
LineOf(const std::exception& error)
{
    const std::string text = error.what();
    // LibTorch throws the same exception type for all errors. Its message for a lack of memory has
    // several lines.
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
        text.find("can't allocate memory") != std::string::npos)
    {
        return "out of memory; expected fewer nodes, or a smaller model or batchSize";
    }
    return Excerpt(AsTyped(text.substr(0, text.find('\n'))), LONGEST_MESSAGE);
}

std::string
AsTyped(const std::string& text)
{
    const char* const typed = std::getenv("DPDL_COMMAND");
    return typed == nullptr ? text : boost::algorithm::replace_all_copy(text, "./dpdl", typed);
}

std::string
Strip(const std::string& text)
{
    const std::size_t first = text.find_first_not_of(" \t\r");
    const std::size_t last = text.find_last_not_of(" \t\r");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

void
CheckOutput()
{
    if (!std::cout.flush())
    {
        throw Error("standard output cannot be written: the disk is full, or it was closed");
    }
}

std::string
Excerpt(const std::string& text, std::size_t longest)
{
    static const std::string GAP = "...";
    const std::size_t tail = longest / 3;
    const std::size_t head = longest - tail - GAP.size();
    // Escape only the two ends of a long text. Escaping never shortens text, so its middle cannot
    // be in the excerpt.
    const bool isLong = text.size() > longest;
    const std::string shown =
        isLong ? Escaped(text.substr(0, longest)) + Escaped(text.substr(text.size() - longest))
               : Escaped(text);
    if (shown.size() <= longest)
    {
        return shown;
    }
    return CutAt(shown, head) + GAP + shown.substr(StartOf(shown, shown.size() - tail));
}

} // namespace dpdl
