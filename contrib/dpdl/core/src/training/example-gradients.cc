// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "example-gradients.h"

#include "kernels.h"

namespace dpdl
{

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
ExampleGradients::AddClipped(const double* factors, double* sum) const
{
    AddScaledRows(m_rows.data_ptr<float>(),
                  factors,
                  static_cast<std::size_t>(m_rows.size(0)),
                  m_tensor->size,
                  sum + m_tensor->offset);
}

} // namespace dpdl
