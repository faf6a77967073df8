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
 * @brief A vector that one example moves by at most a known amount, in the arithmetic that was
 * used.
 *
 * Only a StepContext makes one, where it clips, and noise is added to nothing else. The vector
 * belongs to the context and stays valid until its next sum.
 */
class BoundedSum
{
  public:
    /// Properties of a sum, as its context knows them.
    struct Fields
    {
        double* values{nullptr};     ///< coordinates of the sum, [size]
        std::size_t size{0};         ///< number of coordinates
        double sensitivity{0.0};     ///< largest move by one example
        ClipNorm norm{ClipNorm::L2}; ///< norm of the sensitivity
        bool isBatch{false};         ///< the batch was clipped as a whole
        std::optional<Round> draw{}; ///< number of the draw of its batch; empty: unknown
    };

    /// [ParameterCount()]; the values behind Size() are 0.
    const double* Values() const
    {
        return m_fields.values;
    }

    /// Leading values that the bound is about.
    std::size_t Size() const
    {
        return m_fields.size;
    }

    /// Largest move by one example, in Norm(); infinity: there is no bound.
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

    Fields m_fields; ///< as the context made it
};

} // namespace dpdl

#endif // DPDL_TRAINING_BOUNDED_SUM_H
