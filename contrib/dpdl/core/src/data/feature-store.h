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
 * @brief Features that were computed before, in the folder that the environment variable
 *        DPDL_FEATURES names. A campaign sets it, so that its runs compute them once.
 *
 * A file is named after a checksum of the images, their shape and the features. It ends with a
 * checksum of the features; one that does not match is as good as none.
 */
class FeatureStore
{
  public:
    /**
     * @param images what the features are of
     * @param shape of an image
     * @param features which ones, as a part of a file name
     */
    FeatureStore(const Split& images, const ImageShape& shape, const std::string& features);

    /// Reads all values. @return false if there are none
    bool Read(std::vector<float>& values) const;

    /// Keeps values for other runs, where there is a folder and room for them.
    void Write(const std::vector<float>& values) const;

  private:
    std::string m_path; ///< of the file; empty: there is no folder
};

} // namespace dpdl

#endif // DPDL_DATA_FEATURE_STORE_H
