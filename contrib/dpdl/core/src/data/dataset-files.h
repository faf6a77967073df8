// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_DATASET_FILES_H
#define DPDL_DATA_DATASET_FILES_H

#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Path of a file of a dataset, plain or compressed.
 * @param directories where it may be; the first is the one that errors name
 * @param name of the plain file
 * @param advice what to do if it is nowhere
 * @throws UsageError if it is nowhere
 */
std::string FindDatasetFile(const std::vector<std::string>& directories,
                            const std::string& name,
                            const std::string& advice);

} // namespace dpdl

#endif // DPDL_DATA_DATASET_FILES_H
