// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TOPOLOGY_CONTENT_LINES_H
#define DPDL_TOPOLOGY_CONTENT_LINES_H

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>

namespace dpdl
{

/**
 * @brief Goes through the lines of a text that say something.
 * @param text read to its end; `#` starts a comment
 * @param use is given the number of each line, from 1, and what stands there before the comment,
 *        without blanks at either end; lines without anything are left out
 */
void ForEachContentLine(std::istream& text,
                        const std::function<void(std::size_t, const std::string&)>& use);

} // namespace dpdl

#endif // DPDL_TOPOLOGY_CONTENT_LINES_H
