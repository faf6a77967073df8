// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "example-gradients.h"

#include "kernels.h"

#include <ATen/ops/from_blob.h>

namespace dpdl
{

at::Tensor
ViewOf(const ParameterTensor& tensor, float* sum)
{
    const std::vector<std::int64_t> shape(tensor.shape.begin(), tensor.shape.end());
    return at::from_blob(sum + tensor.offset, shape);
}

ExampleGradients::ExampleGradients(const ParameterTensor& tensor, const at::Tensor& rows)
    : m_tensor(&tensor),
      m_rows(rows.flatten(1).contiguous())
{
}

void
ExampleGradients::AddSquaredNorms(double* squares) const
{
    const float* row = m_rows.data_ptr<float>();
    for (std::int64_t i = 0; i < m_rows.size(0); ++i)
    {
        squares[i] += SquaredNorm(row, m_tensor->size);
        row += m_tensor->size;
    }
}

void
ExampleGradients::AddClipped(const at::Tensor& factors, float* sum) const
{
    const float* row = m_rows.data_ptr<float>();
    const float* factor = factors.data_ptr<float>();
    for (std::int64_t i = 0; i < m_rows.size(0); ++i)
    {
        AddScaled(sum + m_tensor->offset, row, factor[i], m_tensor->size);
        row += m_tensor->size;
    }
}

} // namespace dpdl
