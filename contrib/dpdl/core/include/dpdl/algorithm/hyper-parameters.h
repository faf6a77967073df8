// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_HYPER_PARAMETERS_H
#define DPDL_ALGORITHM_HYPER_PARAMETERS_H

#include <cstdint>
#include <string>
#include <vector>

namespace dpdl
{

/// A number that an algorithm leaves to its user, apart from step size and clip bound.
struct HyperParameter
{
    std::string name;         ///< camelCase, as users write it
    double value{0.0};        ///< default, or what the user gave
    double least{0.0};        ///< smallest accepted value
    double most{0.0};         ///< largest accepted value
    std::string meaning;      ///< one line: symbol, meaning, unit
    bool isWhole{false};      ///< true: only whole numbers are accepted
    std::string formerName{}; ///< works for one version, with a warning; "": none
};

/// The hyper-parameters of an algorithm with the values in force.
class HyperParameters
{
  public:
    /// @param declared what there is, with the defaults
    HyperParameters(std::vector<HyperParameter> declared = {});

    /// Adds one. @throws UsageError if its default is not in its range
    void Declare(HyperParameter parameter);

    /**
     * @brief Takes over what a user gave.
     * @param algorithm whose hyper-parameters these are, for the error
     * @param text `NAME=VALUE,NAME=VALUE,...`; empty: nothing
     * @throws UsageError if a name is unknown or given twice, or a value is no number in its range,
     *         or not whole where it has to be
     */
    void Set(const std::string& algorithm, const std::string& text);

    /// True if there is one of that name.
    bool Has(const std::string& name) const;

    /// The value in force. @param name of a declared one
    double operator[](const std::string& name) const;

    /// The value in force of a whole one. @param name of a declared one
    std::uint32_t Whole(const std::string& name) const
    {
        return static_cast<std::uint32_t>((*this)[name]);
    }

    /// All, in the order of their declaration.
    const std::vector<HyperParameter>& List() const
    {
        return m_list;
    }

  private:
    std::vector<HyperParameter> m_list; ///< in the order of `list algorithms`
};

/// The text of option `hyper` with another value of one hyper-parameter, given there or not.
std::string WithHyperParameter(const std::string& text, const std::string& name, double value);

} // namespace dpdl

#endif // DPDL_ALGORITHM_HYPER_PARAMETERS_H
