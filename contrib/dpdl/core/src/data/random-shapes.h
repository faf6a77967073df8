// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_RANDOM_SHAPES_H
#define DPDL_DATA_RANDOM_SHAPES_H

#include <cstdint>
#include <vector>

namespace dpdl
{

/**
 * @brief A grey image of random ellipses and boxes that cover each other, some of them striped:
 *        dead leaves (Lee, Mumford and Huang, IJCV 2001). No data are in it.
 * @param number which one: the image is a function of it and of the size
 * @param rows of the image
 * @param columns of the image
 * @return [rows, columns], each in [0, 1]
 */
std::vector<float> RandomShapes(std::uint32_t number, std::uint32_t rows, std::uint32_t columns);

} // namespace dpdl

#endif // DPDL_DATA_RANDOM_SHAPES_H
