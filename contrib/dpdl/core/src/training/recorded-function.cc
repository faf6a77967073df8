// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "recorded-function.h"

#include "torch-batch.h"

#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>

namespace dpdl
{

namespace
{

class RecordedScores : public CopiedScores
{
  public:
    RecordedScores(const ModelSpec& model, const RecordedFunction& function)
        : CopiedScores(model),
          m_function(function)
    {
    }

    at::Tensor Scores(const at::Tensor& images) override
    {
        Tape tape(Leaves());
        return m_function.Scores(tape, images);
    }

  private:
    const RecordedFunction& m_function; ///< the model's
};

/// Counts the multiply-adds of what passes.
class CountingTape : public Tape
{
  public:
    using Tape::Apply;
    using Tape::Tape;

    at::Tensor Apply(const ConvOp& op, const at::Tensor& x) override
    {
        return Count(op.weight, Tape::Apply(op, x), 1);
    }

    at::Tensor Apply(const LinearOp& op, const at::Tensor& x) override
    {
        return Count(op.weight, Tape::Apply(op, x), -1);
    }

    double MultiplyAdds() const
    {
        return m_multiplyAdds;
    }

  private:
    /// Each output value takes as many as there are weights for one channel of the output.
    at::Tensor Count(std::size_t weight, const at::Tensor& y, std::int64_t channels)
    {
        const auto weights = static_cast<double>(Parameter(weight).numel());
        m_multiplyAdds +=
            weights / static_cast<double>(y.size(channels)) * static_cast<double>(y.numel());
        return y;
    }

    double m_multiplyAdds{0.0}; ///< so far
};

} // namespace

double
RecordedFunction::MultiplyAdds(const ModelSpec& model) const
{
    const c10::NoGradGuard guard;
    const std::vector<float> zeros(model.ParameterCount(), 0.0F);
    const std::vector<at::Tensor> parameters = CopyParameters(model, zeros.data());
    const ImageShape& shape = model.Shapes().front();
    CountingTape tape(parameters);
    Scores(tape, at::zeros({1, shape.channels, shape.height, shape.width}));
    return tape.MultiplyAdds();
}

std::unique_ptr<TorchScores>
RecordedFunction::MakeScores(const ModelSpec& model) const
{
    return std::make_unique<RecordedScores>(model, *this);
}

} // namespace dpdl
