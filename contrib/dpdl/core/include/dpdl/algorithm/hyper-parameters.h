// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_HYPER_PARAMETERS_H
#define DPDL_ALGORITHM_HYPER_PARAMETERS_H

#include <cstdint>
#include <string>
#include <vector>

namespace dpdl
{

/// A numeric parameter of an algorithm that the user may set, apart from step size and clip bound.
struct HyperParameter
{
    std::string name;         ///< camelCase, as users write it
    double value{0.0};        ///< default, or the user's value
    double least{0.0};        ///< smallest accepted value
    double most{0.0};         ///< largest accepted value
    std::string meaning;      ///< one line: symbol, meaning, unit
    bool isWhole{false};      ///< true: only whole numbers are accepted
    std::string formerName{}; ///< deprecated name, accepted with a warning for one version; "":
                              ///< none
};

/// The hyper-parameters of an algorithm with their current values.
class HyperParameters
{
  public:
    /// @param declared the hyper-parameters, with their defaults
    HyperParameters(std::vector<HyperParameter> declared = {});

    /// Adds a hyper-parameter. @throws UsageError if its default is not in its range
    void Declare(HyperParameter parameter);

    /**
     * @brief Applies the user's values.
     * @param algorithm name of the algorithm, for the error
     * @param text `NAME=VALUE,NAME=VALUE,...`; empty: no values
     * @throws UsageError if a name is unknown or given twice, or a value is not a number in its
     *         range, or not an integer where one is required
     */
    void Set(const std::string& algorithm, const std::string& text);

    /// True if a hyper-parameter of that name is declared.
    bool Has(const std::string& name) const;

    /// Current value. @param name of a declared hyper-parameter
    double operator[](const std::string& name) const;

    /// Current value of an integer. @param name of a declared integer hyper-parameter
    std::uint32_t Whole(const std::string& name) const
    {
        return static_cast<std::uint32_t>((*this)[name]);
    }

    /// All hyper-parameters, in the order of declaration.
    const std::vector<HyperParameter>& List() const
    {
        return m_list;
    }

  private:
    std::vector<HyperParameter> m_list; ///< in the order of `list algorithms`
};

/// The text of option `hyper` with one value replaced or appended.
std::string WithHyperParameter(const std::string& text, const std::string& name, double value);

} // namespace dpdl

#endif // DPDL_ALGORITHM_HYPER_PARAMETERS_H
