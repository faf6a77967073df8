// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_MUTATED_H
#define DPDL_TEST_MUTATED_H

#include "dpdl/base/random.h"

#include <string>

namespace dpdl
{

/// The text with a few bytes replaced, some of them by letters, taken out or doubled.
inline std::string
Mutated(std::string text, const std::string& letters, const RandomStream& random)
{
    const std::uint32_t mutations = 1 + random.Integer(0, 4);
    for (std::uint32_t m = 0; m < mutations && !text.empty(); ++m)
    {
        const std::size_t place =
            random.Integer(4 * m + 1, static_cast<std::uint32_t>(text.size()));
        const auto byte = static_cast<char>(random.Integer(4 * m + 2, 256));
        switch (random.Integer(4 * m + 3, 4))
        {
        case 0:
            text[place] = byte;
            break;
        case 1:
            text[place] = letters[static_cast<unsigned char>(byte) % letters.size()];
            break;
        case 2:
            text.erase(place, 1 + static_cast<unsigned char>(byte) % 8);
            break;
        default:
            text.insert(place, text.substr(place / 2, static_cast<unsigned char>(byte) % 16));
        }
    }
    return text;
}

} // namespace dpdl

#endif // DPDL_TEST_MUTATED_H
