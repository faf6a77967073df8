// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_REGISTRY_H
#define DPDL_BASE_REGISTRY_H

#include "dpdl/base/errors.h"

#include <functional>
#include <string>
#include <vector>

namespace dpdl
{

/// One parameter of a registered part, as shown by `./dpdl list KIND NAME`.
struct ParameterInfo
{
    std::string name;         ///< name as users write it
    std::string defaultValue; ///< default value, as text
    std::string meaning;      ///< one line: meaning, unit, range
};

/// Description of a registered part (an algorithm, a dataset, a noise source), for `./dpdl list`
/// and the documentation.
struct PartInfo
{
    std::string name;    ///< kebab-case; never changes its meaning
    std::string summary; ///< one line for lists
    std::string source;  ///< paper and equation, or package, that the part comes from
    std::vector<ParameterInfo> parameters; ///< parameters, in display order
    /// Further parameters that take time to compute; empty: none.
    std::function<std::vector<ParameterInfo>()> more{};

    /// All parameters, in display order.
    std::vector<ParameterInfo> AllParameters() const;
};

/// The names in order, between separators.
std::string JoinNames(const std::vector<std::string>& names, const std::string& separator = ", ");

/**
 * @brief The candidate nearest to a misspelt name.
 * @param name the unknown name
 * @param candidates all known names
 * @return the candidate with the smallest edit distance; ties prefer an equal beginning. "" if the
 *         distance is at least half the candidate's length
 */
std::string NearestName(const std::string& name, const std::vector<std::string>& candidates);

/**
 * @brief Throws the error for an unregistered name.
 * @param kind of the part, for example `algorithm`
 * @param name the unknown name
 * @param candidates all known names
 */
[[noreturn]] void ThrowUnknownName(const std::string& kind,
                                   const std::string& name,
                                   const std::vector<std::string>& candidates);

/**
 * @brief Throws the error for a name that is already taken.
 * @param kind of the part, for example `algorithm`
 * @param name the name
 */
[[noreturn]] void ThrowTaken(const std::string& kind, const std::string& name);

/**
 * @brief Named parts of one kind, such as all algorithms, in the order of registration.
 *
 * @tparam T type of the parts (a factory, a preset, ...)
 */
template <typename T>
class Registry
{
  public:
    /// @param kind singular name of the kind, for error messages
    explicit Registry(std::string kind)
        : m_kind(std::move(kind))
    {
    }

    /// Registers a part. @throws UsageError if its name is taken
    Registry& Add(PartInfo info, T part)
    {
        for (const PartInfo& known : m_infos)
        {
            if (known.name == info.name)
            {
                ThrowTaken(m_kind, info.name);
            }
        }
        m_infos.push_back(std::move(info));
        m_parts.push_back(std::move(part));
        return *this;
    }

    /**
     * @brief The part with that name.
     * @throws UsageError if the name is unknown; the message suggests the nearest name
     */
    const T& Get(const std::string& name) const
    {
        return m_parts[PlaceOf(name)];
    }

    /// Description of the part with that name. @throws UsageError as Get() does
    const PartInfo& Info(const std::string& name) const
    {
        return m_infos[PlaceOf(name)];
    }

    /// Name of a part; "" if it is not registered. Requires operator== of T.
    std::string NameOf(const T& part) const
    {
        for (std::size_t i = 0; i < m_parts.size(); ++i)
        {
            if (m_parts[i] == part)
            {
                return m_infos[i].name;
            }
        }
        return "";
    }

    /// Descriptions of all parts.
    const std::vector<PartInfo>& List() const
    {
        return m_infos;
    }

    /// Names accepted by Get().
    std::vector<std::string> Names() const
    {
        std::vector<std::string> names;
        for (const PartInfo& info : m_infos)
        {
            names.push_back(info.name);
        }
        return names;
    }

  private:
    /// Index of the part with that name. @throws UsageError if there is none
    std::size_t PlaceOf(const std::string& name) const
    {
        for (std::size_t i = 0; i < m_infos.size(); ++i)
        {
            if (m_infos[i].name == name)
            {
                return i;
            }
        }
        ThrowUnknownName(m_kind, name, Names());
    }

    std::string m_kind;            ///< singular name of the kind
    std::vector<PartInfo> m_infos; ///< descriptions of the parts
    std::vector<T> m_parts;        ///< parts, in the same order
};

} // namespace dpdl

#endif // DPDL_BASE_REGISTRY_H
