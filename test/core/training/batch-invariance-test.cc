// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// What an example adds to a sum is its own: the same alone and among others, in whatever place.

#include "gradient-runs.h"
#include "random-chain.h"

namespace dpdl
{
namespace
{

constexpr ImageShape IMAGE{1, 28, 28};
constexpr double UNIT = 0x1p-53;

/// A batch of examples, drawn with repetition so that each has many places.
std::vector<std::uint32_t>
DrawBatch(std::size_t size, std::size_t examples, std::uint32_t seed)
{
    const RandomStream stream({seed, 1}, RandomPurpose::TEST, 4, 0);
    std::vector<std::uint32_t> batch(size);
    for (std::size_t i = 0; i < size; ++i)
    {
        batch[i] = stream.Integer(i, static_cast<std::uint32_t>(examples));
    }
    return batch;
}

/// Compares batches with their examples' gradients alone.
class InvarianceCheck
{
  public:
    InvarianceCheck(const ModelSpec& model, std::size_t examples, double clip)
        : m_model(model),
          m_images(MakeTestImages(model.Shapes().front(),
                                  examples,
                                  1,
                                  static_cast<std::uint32_t>(model.Classes()))),
          m_z(InitialParameters(model, "default", {2, 1})),
          m_clip(clip)
    {
        EXPECT_TRUE(MakeGradientEngine("native", model)->IsBatchInvariant());
        for (std::uint32_t example = 0; example < examples; ++example)
        {
            m_alone.push_back(Sum({example}));
        }
    }

    /**
     * Losses and norms are sums of doubles in the order of the batch, so their bits reveal each
     * example's. The sum of gradients is that of the gradients alone but for its own rounding in
     * double precision, 2^-29 of what another last bit of a float would change.
     */
    void Expect(const std::vector<std::uint32_t>& batch) const
    {
        const Gradient together = Sum(batch);
        std::vector<double> sum(m_z.size(), 0.0);
        std::vector<double> sizes(m_z.size(), 0.0);
        BatchResult result;
        for (const std::uint32_t example : batch)
        {
            result += m_alone[example].result;
            for (std::size_t i = 0; i < sum.size(); ++i)
            {
                sum[i] += m_alone[example].sum[i];
                sizes[i] += std::abs(m_alone[example].sum[i]);
            }
        }
        EXPECT_EQ(together.result.lossSum, result.lossSum);
        EXPECT_EQ(together.result.normSum, result.normSum);
        EXPECT_EQ(together.result.clipped, result.clipped);
        const double roundings = 2.0 * static_cast<double>(batch.size()) + 2.0;
        for (std::size_t i = 0; i < sum.size(); ++i)
        {
            ASSERT_LE(std::abs(together.sum[i] - sum[i]), roundings * UNIT * sizes[i])
                << m_model.Name() << ", parameter " << i << ", batch of " << batch.size();
        }
    }

  private:
    Gradient Sum(const std::vector<std::uint32_t>& examples) const
    {
        return Compute("native", m_model, m_z, m_images->train, examples, m_clip);
    }

    ModelSpec m_model;
    std::shared_ptr<const Dataset> m_images;
    std::vector<float> m_z;
    double m_clip;
    std::vector<Gradient> m_alone;
};

TEST(BatchInvariance, HoldsForEveryNativeModel)
{
    for (const std::string name :
         {"softmax-regression", "linear-regression", "mlp", "mlp-1", "nn-2", "cnn-xs", "cnn-s"})
    {
        SCOPED_TRACE(name);
        const ModelSpec model = MakeModel(name, IMAGE, name == "linear-regression" ? 1 : 10);
        const InvarianceCheck check(model, 30, 0.4);
        for (std::uint32_t size = 2; size <= 9; ++size)
        {
            check.Expect(DrawBatch(size, 30, size));
        }
        for (const std::size_t size : {16U, 31U, 63U, 64U, 65U, 127U, 128U})
        {
            check.Expect(DrawBatch(size, 30, static_cast<std::uint32_t>(size)));
        }
    }
}

TEST(BatchInvariance, HoldsForTheLargeModels)
{
    for (const ModelSpec& model :
         {MakeModel("cnn-m", IMAGE, 10), MakeModel("cnn-c10", {3, 32, 32}, 10)})
    {
        SCOPED_TRACE(model.Name());
        const InvarianceCheck check(model, 6, 0.4);
        for (const std::size_t size : {2U, 3U, 7U, 64U})
        {
            check.Expect(DrawBatch(size, 6, static_cast<std::uint32_t>(size)));
        }
    }
}

// Layers in any place where they fit: odd sizes, residual blocks, pools of pools.
TEST(BatchInvariance, HoldsForRandomChains)
{
    for (std::uint32_t seed = 0; seed < 60; ++seed)
    {
        const ModelSpec model = RandomChain(seed).Make();
        SCOPED_TRACE(model.Name());
        const InvarianceCheck check(model, 12, seed % 2 == 0 ? 0.3 : NO_CLIP);
        for (const std::size_t size : {2U, 5U, 12U, 33U, 128U})
        {
            check.Expect(DrawBatch(size, 12, seed));
        }
    }
}

// LibTorch chooses its kernels by the size of a batch, so that nothing is said of it.
TEST(BatchInvariance, IsClaimedOfNoOtherEngine)
{
    const ModelSpec model = MakeModel("softmax-regression", IMAGE, 10);
    for (const std::string name : {"libtorch", "libtorch-loop"})
    {
        EXPECT_FALSE(MakeGradientEngine(name, model)->IsBatchInvariant()) << name;
    }
}

} // namespace
} // namespace dpdl
