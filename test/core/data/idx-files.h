// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_IDX_FILES_H
#define DPDL_TEST_IDX_FILES_H

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include <zlib.h>

namespace dpdl
{

using Bytes = std::vector<std::uint8_t>;

/// Header and values of an IDX file.
inline Bytes
IdxBytes(const std::vector<std::uint32_t>& sizes, const Bytes& values)
{
    Bytes bytes{0, 0, 8, static_cast<std::uint8_t>(sizes.size())};
    for (const std::uint32_t size : sizes)
    {
        for (int shift = 24; shift >= 0; shift -= 8)
        {
            bytes.push_back(static_cast<std::uint8_t>(size >> shift));
        }
    }
    bytes.insert(bytes.end(), values.begin(), values.end());
    return bytes;
}

/// A folder for each test, removed with it.
class IdxFiles : public ::testing::Test
{
  protected:
    IdxFiles()
    {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        m_folder = std::filesystem::path(::testing::TempDir()) /
                   (std::string("dpdl-") + info->test_suite_name() + "-" + info->name());
        std::filesystem::create_directories(m_folder);
    }

    ~IdxFiles() override
    {
        std::filesystem::remove_all(m_folder);
    }

    std::string Folder() const
    {
        return m_folder.string();
    }

    std::string Write(const std::string& name, const Bytes& bytes) const
    {
        std::ofstream file(m_folder / name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        return (m_folder / name).string();
    }

    std::string WriteCompressed(const std::string& name, const Bytes& bytes) const
    {
        const std::string path = (m_folder / name).string();
        gzFile file = gzopen(path.c_str(), "wb");
        gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
        gzclose(file);
        return path;
    }

    void Remove(const std::string& name) const
    {
        std::filesystem::remove(m_folder / name);
    }

  private:
    std::filesystem::path m_folder;
};

} // namespace dpdl

#endif // DPDL_TEST_IDX_FILES_H
