// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_EXAMPLE_GRADIENTS_H
#define DPDL_TRAINING_EXAMPLE_GRADIENTS_H

#include "dpdl/training/model.h"

#include <ATen/core/Tensor.h>

namespace dpdl
{

/// The gradients of all examples with respect to one parameter tensor, each written out.
class ExampleGradients
{
  public:
    /**
     * @param tensor the parameters
     * @param rows one for each example; the values of a row are those of the tensor
     */
    ExampleGradients(const ParameterTensor& tensor, const at::Tensor& rows);

    /// squares[i] += the squared norm of row i.
    void AddSquaredNorms(double* squares) const;

    /// Adds factors[i] * row i for all rows to the gradient sum of the model.
    void AddClipped(const double* factors, double* sum) const;

  private:
    const ParameterTensor* m_tensor; ///< the parameters
    at::Tensor m_rows;               ///< [examples, size]
};

} // namespace dpdl

#endif // DPDL_TRAINING_EXAMPLE_GRADIENTS_H
