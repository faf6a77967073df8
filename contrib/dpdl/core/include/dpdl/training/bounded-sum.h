// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_BOUNDED_SUM_H
#define DPDL_TRAINING_BOUNDED_SUM_H

#include "dpdl/base/types.h"
#include "dpdl/training/clip-rule.h"

#include <cstddef>
#include <optional>

namespace dpdl
{

/**
 * @brief A vector with a proven sensitivity: one example moves it by at most that much, rounding
 * included.
 *
 * Only the clipping methods of StepContext make one, and noise is added to nothing else. The vector
 * belongs to the context and stays valid until its next sum.
 */
class BoundedSum
{
  public:
    /// Fields of a sum, set by its context.
    struct Fields
    {
        double* values{nullptr};     ///< coordinates of the sum, [size]
        std::size_t size{0};         ///< number of coordinates
        double sensitivity{0.0};     ///< largest move by one example
        ClipNorm norm{ClipNorm::L2}; ///< norm of the sensitivity
        bool isBatch{false};         ///< the batch was clipped as a whole
        std::optional<Round> draw{}; ///< draw number of its batch; empty if unknown
    };

    /// [ParameterCount()]; the values behind Size() are 0.
    const double* Values() const
    {
        return m_fields.values;
    }

    /// Number of leading values that the bound covers.
    std::size_t Size() const
    {
        return m_fields.size;
    }

    /// Largest move by one example, in Norm(); infinity without a bound.
    double Sensitivity() const
    {
        return m_fields.sensitivity;
    }

    /// The norm of the bound.
    ClipNorm Norm() const
    {
        return m_fields.norm;
    }

  private:
    friend class StepContext;

    explicit BoundedSum(const Fields& fields)
        : m_fields(fields)
    {
    }

    Fields m_fields; ///< set by the context
};

} // namespace dpdl

#endif // DPDL_TRAINING_BOUNDED_SUM_H
