// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_ERRORS_H
#define DPDL_BASE_ERRORS_H

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>

namespace dpdl
{

/**
 * @brief Base class of all exceptions of dpdl.
 *
 * Constructors and loaders check their input, so the rounds of a run throw only if the environment
 * fails, for example on a full disk. The text is one line.
 */
class Error : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/**
 * @brief A user error: an option, a file or a name that is not acceptable.
 *
 * The text has the form `WHAT: VALUE is not accepted; expected ACCEPTED`. Programs print it on
 * standard error and exit with status 2.
 */
class UsageError : public Error
{
  public:
    /**
     * @param what the invalid item, for example `option 'drop'` or `graph file 'g.txt', line 3`
     * @param value the given value
     * @param accepted accepted values, for example `a probability in [0, 1)`
     */
    UsageError(const std::string& what, const std::string& value, const std::string& accepted);

    /**
     * @brief A user error without a single offending value.
     * @param line one line that names the item and the accepted values
     */
    explicit UsageError(const std::string& line);
};

/**
 * @brief Throws a UsageError if a condition is true. The use is like that of NS_ABORT_MSG_IF() in
 *        ns-3.
 * @param condition true: the input is refused. A condition with commas outside parentheses must be
 *        put in parentheses
 * @param ... arguments of UsageError, which are evaluated only if the condition is true
 */
#define DPDL_REFUSE_IF(condition, ...)                                                             \
    do                                                                                             \
    {                                                                                              \
        if (condition)                                                                             \
        {                                                                                          \
            throw ::dpdl::UsageError(__VA_ARGS__);                                                 \
        }                                                                                          \
    } while (false)

/**
 * @brief Converts an exception to a message for the user.
 * @param error exception of dpdl, the standard library or LibTorch
 * @return one line; if memory was exhausted, with advice on saving memory
 */
std::string LineOf(const std::exception& error);

/// @p text with every `./dpdl` replaced by the value of the environment variable DPDL_COMMAND, if
/// it is set.
std::string AsTyped(const std::string& text);

/// @p text without blanks, tabs and carriage returns at either end.
std::string Strip(const std::string& text);

/// Flushes standard output.
/// @throws Error if writing fails, for example on a full disk
void CheckOutput();

/// Default maximal length of Excerpt(), for a value in a message, in bytes.
inline constexpr std::size_t LONGEST_VALUE = 80;

/// Maximal length of Excerpt() for a whole message, in bytes.
inline constexpr std::size_t LONGEST_MESSAGE = 2000;

/**
 * @brief Makes external text safe for a message: one line, and harmless to a terminal.
 *
 * Control characters, characters that change the text direction, and invalid UTF-8 bytes become \n,
 * \t, \r or \xHH. If the result would exceed @p longest, its middle is replaced by `...`. Applying
 * Excerpt() to its result again changes nothing.
 * @param text text from a user, a file or a trace
 * @param longest largest length of the excerpt in bytes, at least 4
 */
std::string Excerpt(const std::string& text, std::size_t longest = LONGEST_VALUE);

} // namespace dpdl

#endif // DPDL_BASE_ERRORS_H
