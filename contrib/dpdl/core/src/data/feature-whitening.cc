// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "feature-whitening.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>
#include <zlib.h>

// Solves the ridge regression by Eigen's Cholesky factorisation of K + c I.

namespace dpdl
{

namespace
{

template <typename T>
std::uint64_t
ChecksumOf(const std::vector<T>& values)
{
    const auto* bytes = reinterpret_cast<const Bytef*>(values.data());
    const std::size_t count = values.size() * sizeof(T);
    return std::uint64_t{crc32_z(crc32_z(0, nullptr, 0), bytes, count)} << 32 |
           adler32_z(adler32_z(0, nullptr, 0), bytes, count);
}

} // namespace

FeatureWhitening::FeatureWhitening(const std::vector<float>& shapes,
                                   std::size_t count,
                                   double penalty)
    : m_count(count),
      m_weights(shapes.size())
{
    using Eigen::Dynamic;
    const auto height = static_cast<Eigen::Index>(count);
    const auto width = static_cast<Eigen::Index>(shapes.size() / count);
    Eigen::MatrixXd rows =
        Eigen::Map<const Eigen::Matrix<float, Dynamic, Dynamic, Eigen::RowMajor>>(shapes.data(),
                                                                                  height,
                                                                                  width)
            .cast<double>();
    const Eigen::RowVectorXd mean = rows.colwise().mean();
    rows.rowwise() -= mean;
    Eigen::MatrixXd gram = rows * rows.transpose();
    gram.diagonal().array() += penalty * gram.trace() / static_cast<double>(count);
    Eigen::Map<Eigen::MatrixXf>(m_weights.data(), height, width) =
        gram.llt().solve(rows).cast<float>();
}

void
FeatureWhitening::Apply(std::size_t examples, const float* features, float* coordinates) const
{
    std::fill(coordinates, coordinates + examples * m_count, 0.0F);
    const std::size_t size = m_weights.size() / m_count;
    for (std::size_t i = 0; i < size; ++i)
    {
        const float* weights = m_weights.data() + i * m_count;
        for (std::size_t example = 0; example < examples; ++example)
        {
            const float value = features[example * size + i];
            float* to = coordinates + example * m_count;
            for (std::size_t k = 0; k < m_count; ++k)
            {
                to[k] += value * weights[k];
            }
        }
    }
}

FeatureStore::FeatureStore(const Split& images,
                           const ImageShape& shape,
                           const std::string& features)
{
    const char* const folder = std::getenv("DPDL_FEATURES");
    if (folder == nullptr || *folder == '\0')
    {
        return;
    }
    std::string name = features;
    for (const std::uint64_t part : {std::uint64_t{shape.channels},
                                     std::uint64_t{shape.height},
                                     std::uint64_t{shape.width},
                                     ChecksumOf(images.pixels),
                                     ChecksumOf(images.values)})
    {
        name += "-" + std::to_string(part);
    }
    m_path = (std::filesystem::path(folder) / name).string();
}

bool
FeatureStore::Read(std::vector<float>& values) const
{
    std::ifstream file(m_path, std::ios::binary);
    const auto size = static_cast<std::streamsize>(values.size() * sizeof(float));
    std::uint64_t checksum = 0;
    return !m_path.empty() && file.read(reinterpret_cast<char*>(values.data()), size) &&
           file.read(reinterpret_cast<char*>(&checksum), sizeof(checksum)) &&
           checksum == ChecksumOf(values);
}

void
FeatureStore::Write(const std::vector<float>& values) const
{
    if (m_path.empty())
    {
        return;
    }
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(m_path).parent_path(), error);
    const std::string own = m_path + "." + std::to_string(getpid());
    std::ofstream file(own, std::ios::binary);
    const std::uint64_t checksum = ChecksumOf(values);
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(float)));
    file.write(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
    file.close();
    if (file)
    {
        std::filesystem::rename(own, m_path, error);
    }
    else
    {
        std::filesystem::remove(own, error);
    }
}

} // namespace dpdl
