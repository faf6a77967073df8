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

/// One parameter of a registered part, as `./dpdl list KIND NAME` shows it.
struct ParameterInfo
{
    std::string name;         ///< the parameter's name, as users write it
    std::string defaultValue; ///< its default, as text
    std::string meaning;      ///< one line: meaning, unit, range
};

/// What a registry says of a part: enough for `./dpdl list` and for its documentation.
struct PartInfo
{
    std::string name;                      ///< kebab-case; never changes its meaning
    std::string summary;                   ///< one line
    std::string source;                    ///< paper and equation, or package
    std::vector<ParameterInfo> parameters; ///< in the order they are shown
    bool available{true};                  ///< false: the name is reserved, the part not built yet
    /// Parameters behind those, where it takes time to know them; empty: there are none.
    std::function<std::vector<ParameterInfo>()> more{};

    /// All parameters, in the order they are shown.
    std::vector<ParameterInfo> AllParameters() const;
};

/// The names in their order, with commas between them.
std::string JoinNames(const std::vector<std::string>& names);

/**
 * @brief The candidate nearest to a misspelt name.
 * @param name the name that was not found
 * @param candidates all known names
 * @return the candidate with the smallest edit distance, among equals the one that begins alike;
 *         "" if none is closer than half of its own length
 */
std::string NearestName(const std::string& name, const std::vector<std::string>& candidates);

/**
 * @brief Throws the error for a name that no registry entry bears.
 * @param kind what was looked up, for example `algorithm`
 * @param name the unknown name
 * @param candidates all known names
 */
[[noreturn]] void ThrowUnknownName(const std::string& kind,
                                   const std::string& name,
                                   const std::vector<std::string>& candidates);

/**
 * @brief Throws the error for a name that is reserved but not built yet.
 * @param kind what was looked up, for example `algorithm`
 * @param name the reserved name
 */
[[noreturn]] void ThrowNotAvailable(const std::string& kind, const std::string& name);

/**
 * @brief Throws the error for a name that another part bears already.
 * @param kind what was to be entered, for example `algorithm`
 * @param name the name
 */
[[noreturn]] void ThrowTaken(const std::string& kind, const std::string& name);

/**
 * @brief Named parts of one kind, in the order in which they were entered.
 *
 * @tparam T what a name stands for (a factory, a preset, ...); entries that are not available hold
 *           a default-constructed T
 */
template <typename T>
class Registry
{
  public:
    /// @param kind singular name of what is registered, used in error messages
    explicit Registry(std::string kind)
        : m_kind(std::move(kind))
    {
    }

    /// Enters an available part. @throws UsageError if its name is taken
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

    /// Reserves a name whose part does not exist yet.
    Registry& Reserve(PartInfo info)
    {
        info.available = false;
        return Add(std::move(info), T{});
    }

    /**
     * @brief The part of that name.
     * @throws UsageError if the name is unknown (the nearest one is offered) or only reserved
     */
    const T& Get(const std::string& name) const
    {
        return m_parts[PlaceOf(name)];
    }

    /// Description of the part of that name. @throws UsageError as Get() does
    const PartInfo& Info(const std::string& name) const
    {
        return m_infos[PlaceOf(name)];
    }

    /// The name under which an available part is entered, "" if it is not. Needs parts with ==.
    std::string NameOf(const T& part) const
    {
        for (std::size_t i = 0; i < m_parts.size(); ++i)
        {
            if (m_infos[i].available && m_parts[i] == part)
            {
                return m_infos[i].name;
            }
        }
        return "";
    }

    /// All entries, reserved ones included.
    const std::vector<PartInfo>& List() const
    {
        return m_infos;
    }

    /// The names that Get() accepts.
    std::vector<std::string> AvailableNames() const
    {
        std::vector<std::string> names;
        for (const PartInfo& info : m_infos)
        {
            if (info.available)
            {
                names.push_back(info.name);
            }
        }
        return names;
    }

    /// All names, reserved ones included.
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
    /// Index of the available part of that name. @throws UsageError if there is none
    std::size_t PlaceOf(const std::string& name) const
    {
        for (std::size_t i = 0; i < m_infos.size(); ++i)
        {
            if (m_infos[i].name == name)
            {
                if (!m_infos[i].available)
                {
                    ThrowNotAvailable(m_kind, name);
                }
                return i;
            }
        }
        ThrowUnknownName(m_kind, name, AvailableNames());
    }

    std::string m_kind;            ///< singular name of what is registered
    std::vector<PartInfo> m_infos; ///< descriptions
    std::vector<T> m_parts;        ///< what the names stand for, same order
};

} // namespace dpdl

#endif // DPDL_BASE_REGISTRY_H
