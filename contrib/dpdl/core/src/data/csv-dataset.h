// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_CSV_DATASET_H
#define DPDL_DATA_CSV_DATASET_H

#include "dpdl/data/dataset.h"

#include <cstdint>

namespace dpdl
{

/**
 * @brief Reads a table of numbers: a header, then an example a line.
 *
 * Column `request.csv.label` has the labels: classes if all are whole numbers from 0 on without a
 * decimal point, otherwise targets of a regression. The other columns are the features, taken as
 * they are. Which rows test is drawn by the seed; both splits keep the order of the file.
 * @param request path, limits, choices
 * @param[out] dataset shape, classes and splits
 * @throws UsageError naming the file and the line
 */
void ReadCsvDataset(const DatasetRequest& request, Dataset& dataset);

/// Whole numbers from here on are no classes.
constexpr double MOST_CLASSES = 65536.0;

/// Number of classes: one more than the largest label, at least two. @param labels not empty
std::uint32_t CountClasses(const std::vector<double>& labels);

} // namespace dpdl

#endif // DPDL_DATA_CSV_DATASET_H
