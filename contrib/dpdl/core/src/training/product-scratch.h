// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_PRODUCT_SCRATCH_H
#define DPDL_TRAINING_PRODUCT_SCRATCH_H

#include "float-buffer.h"
#include "native-kernels.h"

#include <cstdint>
#include <vector>

namespace dpdl
{

/// Owner of the scratch memory of NativeKernels::addProducts.
class ProductScratch
{
  public:
    /// @param count largest number of outer products
    /// @param rows number of values in a left vector
    ProductScratch(std::size_t count, std::size_t rows)
        : m_lefts(count * rows),
          m_places(count * rows),
          m_terms(rows)
    {
    }

    ProductMemory Memory()
    {
        return {m_lefts.Data(), m_places.data(), m_terms.data()};
    }

  private:
    DoubleBuffer m_lefts;
    std::vector<std::uint32_t> m_places;
    std::vector<std::uint32_t> m_terms;
};

} // namespace dpdl

#endif // DPDL_TRAINING_PRODUCT_SCRATCH_H
