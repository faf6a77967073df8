// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Products of small matrices and vectors; native-kernels-body.h includes this file after
// logit-kernels-body.h.

/// Multiplies the matrix of @p transform by its input vectors, LANES elements at a time. COLUMNS is
/// the number of columns of the matrix.
template <int COLUMNS>
void
ApplyToColumns(const VectorTransform& transform, std::size_t size)
{
    for (std::size_t i = 0; i < size; i += LANES)
    {
        Vector in[COLUMNS];
#pragma GCC unroll 9
        for (int c = 0; c < COLUMNS; ++c)
        {
            LoadVector(transform.in[c] + i, in[c]);
        }
        const float* row = transform.matrix;
        for (std::size_t r = 0; r < transform.rows; ++r, row += COLUMNS)
        {
            Vector sum{};
#pragma GCC unroll 9
            for (int c = 0; c < COLUMNS; ++c)
            {
                sum = Fused(row[c] - Vector{}, in[c], sum);
            }
            if (transform.out[r] != nullptr)
            {
                StoreVector(sum, LANES, transform.out[r] + i);
            }
        }
    }
}

void
ApplyTransform(const VectorTransform& transform, std::size_t size)
{
    WithSize<MOST_VECTORS_IN>(transform.columns, [&](auto columns) {
        ApplyToColumns<decltype(columns)::value>(transform, size);
    });
}
