// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_REGISTRY_H
#define DPDL_BASE_REGISTRY_H

#include "dpdl/base/errors.h"
#include "dpdl/base/types.h"

#include <functional>
#include <string>
#include <vector>

namespace dpdl
{

/// A parameter of a registry entry (an algorithm, a dataset, ...), for `./dpdl list KIND NAME`.
struct ParameterInfo
{
    std::string name;         ///< name of the parameter, as users write it
    std::string defaultValue; ///< default value, as text
    std::string meaning;      ///< meaning, unit and range in one line
};

/// Description of a registry entry (an algorithm, a dataset, a noise source), for `./dpdl list` and
/// the documentation.
struct PartInfo
{
    std::string name;    ///< name in options, kebab-case; its meaning never changes
    std::string summary; ///< description in one line, for lists
    /// Source of the part: paper and equation, or software package; "": none.
    std::string source{};
    std::vector<ParameterInfo> parameters{}; ///< parameters, in display order
    /// Computes additional parameters, for those that take long to compute; empty: none.
    std::function<std::vector<ParameterInfo>()> more{};

    /// Members `parameters` and the results of `more`, in display order.
    std::vector<ParameterInfo> AllParameters() const;
};

/// Names of the elements of a list.
/// @tparam Part type of the elements, with a member `name`
template <typename Part>
std::vector<std::string>
NamesIn(const std::vector<Part>& parts)
{
    std::vector<std::string> names;
    for (const Part& part : parts)
    {
        names.push_back(part.name);
    }
    return names;
}

/// Joins names, with a separator between each two.
std::string JoinNames(const std::vector<std::string>& names, const std::string& separator = ", ");

/// Joins indices of nodes, with a separator between each two.
std::string JoinNodes(const std::vector<NodeId>& nodes, const std::string& separator = ", ");

/// Names nodes in a message: `node 3`, or up to @p most indices and the number of further nodes,
/// such as `nodes 3, 5, 8 and 4 more`.
std::string NameNodes(const std::vector<NodeId>& nodes, std::size_t most);

/**
 * @brief Finds the candidate nearest to a misspelt name.
 * @param name the unknown name
 * @param candidates all known names
 * @return the candidate with the smallest edit distance; among ties, the one with the longest
 *         common prefix. "" if the distance exceeds half the candidate's length
 */
std::string NearestName(const std::string& name, const std::vector<std::string>& candidates);

/**
 * @brief Throws the UsageError for an unregistered name.
 * @param kind kind of the part, for example `algorithm`
 * @param name the unknown name
 * @param candidates all known names
 */
[[noreturn]] void ThrowUnknownName(const std::string& kind,
                                   const std::string& name,
                                   const std::vector<std::string>& candidates);

/**
 * @brief Throws the UsageError for a name that is already registered.
 * @param kind kind of the part, for example `algorithm`
 * @param name name that is registered already
 */
[[noreturn]] void ThrowTaken(const std::string& kind, const std::string& name);

/**
 * @brief Named entries ("parts") of one kind, such as all algorithms, in the order of registration.
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

    /// Registers a part.
    /// @throws UsageError if its name is taken
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

    /// Description of the part with that name.
    /// @throws UsageError if the name is unknown; the message suggests the nearest name
    const PartInfo& Info(const std::string& name) const
    {
        return m_infos[PlaceOf(name)];
    }

    /// Name of a part; "" if it is not registered. T must have operator==.
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
        return NamesIn(m_infos);
    }

  private:
    /// Index of the part with that name.
    /// @throws UsageError if there is none
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

    std::string m_kind;            ///< singular name of the kind, for errors
    std::vector<PartInfo> m_infos; ///< descriptions of the parts
    std::vector<T> m_parts;        ///< parts, at the indices of m_infos
};

} // namespace dpdl

#endif // DPDL_BASE_REGISTRY_H
