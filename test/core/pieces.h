// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_PIECES_H
#define DPDL_TEST_PIECES_H

#include <sstream>
#include <string>
#include <vector>

namespace dpdl
{

/// The pieces of a text between separators; between two of these in a row stands an empty one.
inline std::vector<std::string>
Pieces(const std::string& text, char separator = ' ')
{
    std::vector<std::string> pieces;
    std::istringstream stream(text);
    for (std::string piece; std::getline(stream, piece, separator);)
    {
        pieces.push_back(piece);
    }
    return pieces;
}

} // namespace dpdl

#endif // DPDL_TEST_PIECES_H
