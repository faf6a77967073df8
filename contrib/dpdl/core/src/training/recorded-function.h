// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_RECORDED_FUNCTION_H
#define DPDL_TRAINING_RECORDED_FUNCTION_H

#include "tape.h"
#include "torch-function.h"

namespace dpdl
{

/**
 * @brief A function whose parameters all enter through the operations of a tape.
 *
 * What it computes of one example must not depend on the others, batch normalisation excepted.
 */
class RecordedFunction : public TorchFunction
{
  public:
    /// Scores [examples, classes] of images [examples, channels, height, width] in [0, 1].
    virtual at::Tensor Scores(Tape& tape, const at::Tensor& images) const = 0;

    const RecordedFunction* Recorded() const final
    {
        return this;
    }

    double MultiplyAdds(const ModelSpec& model) const override;
    std::unique_ptr<TorchScores> MakeScores(const ModelSpec& model) const override;
};

} // namespace dpdl

#endif // DPDL_TRAINING_RECORDED_FUNCTION_H
