// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_ATTACKS_H
#define DPDL_TEST_ATTACKS_H

#include "../data/idx-files.h"
#include "dpdl/base/random.h"
#include "dpdl/training/node-job.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace dpdl
{

constexpr std::uint32_t SIDE = 28;
constexpr std::uint32_t PIXELS = SIDE * SIDE;
constexpr std::uint32_t CLASSES = 10;

/// Black images, some pixels of which are lit.
class Images
{
  public:
    explicit Images(std::size_t count)
        : m_pixels(count * PIXELS),
          m_labels(count)
    {
    }

    void SetLabel(std::size_t image, std::size_t label)
    {
        m_labels[image] = static_cast<std::uint8_t>(label);
    }

    void Light(std::size_t image, std::size_t first, std::size_t count)
    {
        std::fill_n(m_pixels.begin() + static_cast<std::ptrdiff_t>(image * PIXELS + first),
                    count,
                    std::uint8_t{255});
    }

    /// As the files of MNIST, training and test part alike.
    void Write(const std::filesystem::path& folder) const
    {
        std::filesystem::create_directories(folder);
        const auto count = static_cast<std::uint32_t>(m_labels.size());
        const auto write = [&folder](const std::string& name, const Bytes& bytes) {
            std::ofstream(folder / name, std::ios::binary)
                .write(reinterpret_cast<const char*>(bytes.data()),
                       static_cast<std::streamsize>(bytes.size()));
        };
        for (const std::string part : {"train", "t10k"})
        {
            write(part + "-images-idx3-ubyte", IdxBytes({count, SIDE, SIDE}, m_pixels));
            write(part + "-labels-idx1-ubyte", IdxBytes({count}, m_labels));
        }
    }

  private:
    Bytes m_pixels;
    Bytes m_labels;
};

/// What a listener to all messages of a node makes of a local step: the noisy vector that moved the
/// model, in the unit of the gradients, of the parameters that travel.
inline std::vector<double>
Heard(const NodeJob& job)
{
    const LocalUpdate& update = job.update;
    const std::size_t size = std::min(job.state->Size(), update.chunks.Parameters());
    std::vector<double> heard(size);
    for (std::size_t i = 0; i < size; ++i)
    {
        const double moved = job.increment ? static_cast<double>(job.increment->Data()[i])
                                           : static_cast<double>(job.state->Data()[i]) -
                                                 static_cast<double>(job.copy->Data()[i]);
        heard[i] = -moved / update.stepSize;
    }
    return heard;
}

/**
 * @brief Many canaries at each node, of which each lights its own pixels, or none.
 *
 * A softmax regression that starts at zero and hardly moves gives a lit pixel the gradient
 * 1/10 - [class = label]; a black image adds nothing to these coordinates, as one that is not
 * there. The score is the logarithm of the likelihood ratio, but for a constant.
 */
class PatchAttack
{
  public:
    static constexpr std::size_t PATCH = 4; ///< pixels of a canary
    static constexpr std::size_t LOCAL = PIXELS / PATCH;

    explicit PatchAttack(std::size_t nodes)
        : m_scores(nodes * LOCAL)
    {
    }

    /// A node's images by coins. @param isIn for each image of each node
    static Images Make(const std::vector<bool>& isIn)
    {
        Images images(isIn.size());
        for (std::size_t i = 0; i < isIn.size(); ++i)
        {
            images.SetLabel(i, i % CLASSES);
            if (isIn[i])
            {
                images.Light(i, i % LOCAL * PATCH, PATCH);
            }
        }
        return images;
    }

    void Hear(const NodeJob& job)
    {
        const std::vector<double> heard = Heard(job);
        const double noise = job.update.noise;
        const double scale = job.update.divisor * job.update.clip / (noise * noise);
        for (std::size_t i = 0; i < LOCAL; ++i)
        {
            const std::size_t image = job.node * LOCAL + i;
            for (std::size_t at = i * PATCH; at < (i + 1) * PATCH; ++at)
            {
                for (std::size_t label = 0; label < CLASSES; ++label)
                {
                    const double slope = 0.1 - (label == image % CLASSES ? 1.0 : 0.0);
                    m_scores[image] += scale * slope * heard[label * PIXELS + at];
                }
            }
        }
    }

    const std::vector<double>& Scores() const
    {
        return m_scores;
    }

  private:
    std::vector<double> m_scores; ///< of each image of each node
};

/**
 * @brief One canary at each node whose gradient is clipped as a whole: with it the clipped mean
 *        stands at another place.
 *
 * The places are those of two runs without noise.
 */
class PlaceAttack
{
  public:
    static constexpr std::size_t LOCAL = CLASSES + 1;

    /// @param isLaplace how the noise is distributed
    PlaceAttack(std::size_t nodes, bool isLaplace)
        : m_places(2, std::vector<std::vector<std::vector<double>>>(nodes)),
          m_scores(nodes),
          m_isLaplace(isLaplace)
    {
    }

    /// A canary of so many lit pixels, or a black one, and a black image of each class.
    static Images Make(const std::vector<bool>& isIn, std::size_t lit)
    {
        Images images(isIn.size() * LOCAL);
        for (std::size_t node = 0; node < isIn.size(); ++node)
        {
            for (std::size_t i = 1; i < LOCAL; ++i)
            {
                images.SetLabel(node * LOCAL + i, i - 1);
            }
            if (isIn[node])
            {
                images.Light(node * LOCAL, 0, lit);
            }
        }
        return images;
    }

    /// A step without noise, of a run in which all canaries are in, or none is.
    void Learn(const NodeJob& job, bool isIn)
    {
        m_places[isIn ? 1 : 0][job.node].push_back(Heard(job));
    }

    void Hear(const NodeJob& job)
    {
        const std::vector<double> heard = Heard(job);
        m_scores[job.node] += LogDensity(heard, m_places[1][job.node][job.round], job) -
                              LogDensity(heard, m_places[0][job.node][job.round], job);
    }

    const std::vector<double>& Scores() const
    {
        return m_scores;
    }

  private:
    double LogDensity(const std::vector<double>& heard,
                      const std::vector<double>& place,
                      const NodeJob& job) const
    {
        double sum = 0.0;
        for (std::size_t i = 0; i < heard.size(); ++i)
        {
            const double noise = (heard[i] - place[i]) / job.update.noise;
            sum -= m_isLaplace ? std::fabs(noise) : 0.5 * noise * noise;
        }
        return sum;
    }

    /// by out and in, node and round: where the clipped mean stands
    std::vector<std::vector<std::vector<std::vector<double>>>> m_places;
    std::vector<double> m_scores; ///< of each node
    bool m_isLaplace;             ///< else Gaussian
};

} // namespace dpdl

#endif // DPDL_TEST_ATTACKS_H
