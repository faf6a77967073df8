// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DATA_FEATURE_STORE_H
#define DPDL_DATA_FEATURE_STORE_H

#include "dpdl/data/dataset.h"

#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Cache of computed features, in the folder of the environment variable DPDL_FEATURES. A
 *        campaign sets it, so its runs compute them once.
 *
 * A file name contains a checksum of the images, their shape and the kind of features. The file
 * ends with a checksum of the features; a file with a wrong one is ignored.
 */
class FeatureStore
{
  public:
    /**
     * @param images source of the features
     * @param shape of an image
     * @param features kind of features, as part of a file name
     */
    FeatureStore(const Split& images, const ImageShape& shape, const std::string& features);

    /// Reads all values. @return false if they are not cached
    bool Read(std::vector<float>& values) const;

    /// Caches values for other runs, if there is a folder with enough space.
    void Write(const std::vector<float>& values) const;

  private:
    std::string m_path; ///< of the file; empty: no folder
};

} // namespace dpdl

#endif // DPDL_DATA_FEATURE_STORE_H
