// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_DATASET_H
#define DPDL_AUDIT_DATASET_H

#include "dpdl/base/errors.h"
#include "dpdl/base/random.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

/// Synthetic dataset of scenario audit.
namespace dpdlaudit
{

inline constexpr std::uint32_t SIDE = 28;
inline constexpr std::uint32_t CLASSES = 10;
/// Number of examples per node. Example 0 of node 0 is the canary.
inline constexpr std::uint32_t LOCAL_EXAMPLES = 20;

/// A temporary folder that its destructor removes.
class TemporaryFolder
{
  public:
    TemporaryFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "dpdl-audit-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr)
        {
            throw dpdl::Error("no folder for the audit's data can be made in " + name);
        }
        m_path = name;
    }

    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    ~TemporaryFolder()
    {
        std::error_code error;
        std::filesystem::remove_all(m_path, error);
    }

    std::string Path(const std::string& name) const
    {
        return (m_path / name).string();
    }

  private:
    std::filesystem::path m_path;
};

inline void
WriteIdx(const std::string& path,
         const std::vector<std::uint32_t>& sizes,
         const std::vector<std::uint8_t>& values)
{
    std::ofstream out(path, std::ios::binary);
    out.put(0).put(0).put(8).put(static_cast<char>(sizes.size()));
    for (const std::uint32_t size : sizes)
    {
        for (int shift = 24; shift >= 0; shift -= 8)
        {
            out.put(static_cast<char>(size >> shift & 0xffU));
        }
    }
    out.write(reinterpret_cast<const char*>(values.data()),
              static_cast<std::streamsize>(values.size()));
    if (!out)
    {
        throw dpdl::Error("the file " + path + " cannot be written");
    }
}

/// Writes training and test files in MNIST's format, with images that have random pixels in the
/// left half and are black in the right half.
/// @param examples number of images
/// @param canary true: image 0, the canary, is white in the right half; false: image 0 is black
inline void
WriteDataset(const std::string& folder, std::uint32_t examples, bool canary)
{
    std::filesystem::create_directories(folder);
    const std::uint32_t pixels = SIDE * SIDE;
    std::vector<std::uint8_t> images(static_cast<std::size_t>(examples) * pixels);
    std::vector<std::uint8_t> labels(examples);
    const dpdl::RandomStream random({1, 1}, dpdl::RandomPurpose::AUDIT, 100, 0);
    for (std::uint32_t i = 0; i < examples; ++i)
    {
        labels[i] = static_cast<std::uint8_t>(i % CLASSES);
        for (std::uint32_t p = 0; p < pixels; ++p)
        {
            const bool left = p % SIDE < SIDE / 2;
            const std::size_t at = static_cast<std::size_t>(i) * pixels + p;
            if (i > 0 && left)
            {
                images[at] = static_cast<std::uint8_t>(random.Integer(at, 256));
            }
            else if (i == 0 && !left && canary)
            {
                images[at] = 255;
            }
        }
    }
    for (const char* split : {"train", "t10k"})
    {
        WriteIdx(folder + "/" + split + "-images-idx3-ubyte", {examples, SIDE, SIDE}, images);
        WriteIdx(folder + "/" + split + "-labels-idx1-ubyte", {examples}, labels);
    }
}

} // namespace dpdlaudit

#endif // DPDL_AUDIT_DATASET_H
