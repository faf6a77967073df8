// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_ERRORS_H
#define DPDL_BASE_ERRORS_H

#include <exception>
#include <stdexcept>
#include <string>

namespace dpdl
{

/**
 * @brief Base of everything that dpdl throws.
 *
 * Exceptions leave constructors and loaders only: once a run has been built, its hot loop cannot
 * fail. The text is one line.
 */
class Error : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/**
 * @brief A mistake of the user: an option, a file or a name that cannot be accepted.
 *
 * The text always has the form `WHAT: VALUE is not accepted; expected ACCEPTED`. Programs print it
 * on standard error and end with exit status 2.
 */
class UsageError : public Error
{
  public:
    /**
     * @param what the thing that is wrong, for example `option 'drop'` or `graph file 'g.txt', line
     * 3`
     * @param value the value as the user gave it
     * @param accepted what would have been accepted, for example `a probability in [0, 1)`
     */
    UsageError(const std::string& what, const std::string& value, const std::string& accepted);

    /**
     * @brief A mistake that has no single offending value.
     * @param line one line that names the thing and what would be accepted
     */
    explicit UsageError(const std::string& line);
};

/**
 * @brief The message for the user of a program that failed.
 * @param error of dpdl, of the standard library or of LibTorch
 * @return one line; where memory ran out, what to change
 */
std::string LineOf(const std::exception& error);

} // namespace dpdl

#endif // DPDL_BASE_ERRORS_H
