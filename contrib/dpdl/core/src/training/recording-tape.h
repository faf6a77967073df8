// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_RECORDING_TAPE_H
#define DPDL_TRAINING_RECORDING_TAPE_H

#include "tape-record.h"
#include "tape.h"

namespace dpdl
{

/**
 * @brief Keeps what goes into each operation and what gradient comes back out of it.
 *
 * The parameters are constants to autograd, so that its backward pass goes through the values alone
 * and never forms the gradient of a weight.
 */
class RecordingTape : public Tape
{
  public:
    /**
     * @param model whose operations are applied
     * @param parameters its tensors, without gradients; both have to outlive the tape
     */
    RecordingTape(const ModelSpec& model, const std::vector<at::Tensor>& parameters);

    at::Tensor Apply(const ConvOp& op, const at::Tensor& x) override;
    at::Tensor Apply(const LinearOp& op, const at::Tensor& x) override;
    at::Tensor Apply(const GroupNormOp& op, const at::Tensor& x) override;
    at::Tensor Apply(const LayerNormOp& op, const at::Tensor& x) override;
    at::Tensor Apply(const BatchNormOp& op, const at::Tensor& x) override;
    at::Tensor Apply(const FreeOp& op, std::int64_t examples) override;

    /**
     * @brief Goes back from the loss to all operations.
     * @param loss sum of the losses of the examples
     * @param[in,out] squares squared norms of their gradients are added, one for each example
     */
    void Backward(const at::Tensor& loss, double* squares);

    /// Adds factors[i] * gradient i for all examples, after Backward(). @param factors one for each
    /// example @param[in,out] sum [ParameterCount()]
    void AddClipped(const double* factors, double* sum) const;

  private:
    RecordPlace Place(std::size_t first, std::size_t second) const;
    at::Tensor Keep(std::unique_ptr<TapeRecord> record, at::Tensor output);

    const ModelSpec& m_model;                           ///< whose operations are applied
    std::vector<std::unique_ptr<TapeRecord>> m_records; ///< in the order of the forward pass
    std::vector<at::Tensor> m_outputs;                  ///< of the operations, in that order
};

} // namespace dpdl

#endif // DPDL_TRAINING_RECORDING_TAPE_H
