// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_OPTION_BUILDER_H
#define DPDL_EXPERIMENT_OPTION_BUILDER_H

#include "dpdl/base/quantity.h"
#include "dpdl/base/registry.h"
#include "dpdl/experiment/option-table.h"

#include <limits>
#include <utility>

namespace dpdl
{

/// Builds the rows of the option table: one method per kind of value.
class OptionBuilder
{
  public:
    /// Names of a value, in the order of the help text; the first is the default.
    template <typename T>
    using Names = std::vector<std::pair<std::string, T>>;

    explicit OptionBuilder(std::vector<Option>& table)
        : m_table(table)
    {
    }

    /// Free text, read as it is.
    void Text(const std::string& name,
              const std::string& shownDefault,
              const std::string& accepted,
              const std::string& meaning,
              std::string RunSettings::*field);

    /// Free texts: each adds to those before it, or takes their place.
    void List(const std::string& name,
              const std::string& accepted,
              const std::string& meaning,
              std::vector<std::string> RunSettings::*field,
              bool addsUp);

    /// A whole number >= low; @p zeroName is the text that stands for 0, if any.
    template <typename T>
    void Count(const std::string& name,
               const std::string& zeroName,
               std::uint64_t low,
               const std::string& meaning,
               T RunSettings::*field);

    /// A finite number for which @p accept holds.
    void Real(const std::string& name,
              const std::string& accepted,
              const std::string& meaning,
              double RunSettings::*field,
              bool (*accept)(double));

    /// What an option without a value shows where the algorithm decides.
    static constexpr const char* OF_THE_PRESET = "of the preset";

    /// A number > 0; @p emptyName is shown, and unless it is OF_THE_PRESET accepted, for no value.
    void Positive(const std::string& name,
                  const std::string& meaning,
                  std::optional<double> RunSettings::*field,
                  const std::string& emptyName = OF_THE_PRESET);

    /// A number of every link, with @p unit when shown; or the file with those of single links.
    void OfLinks(const std::string& name,
                 const std::string& shownDefault,
                 const std::string& accepted,
                 const std::string& meaning,
                 double RunSettings::*field,
                 double (*parse)(const std::string&, const std::string&),
                 const std::string& unit,
                 std::string LinkFiles::*file);

    /// The name of a registry's part; the first one is the default.
    template <typename T>
    void Registered(const std::string& name,
                    const Registry<T>& registry,
                    const std::string& meaning,
                    T RunSettings::*field);

    /// One of several names; those in @p later are refused as not available yet.
    template <typename T>
    void Choice(const std::string& name,
                const Names<T>& names,
                const std::string& meaning,
                T RunSettings::*field,
                const std::vector<std::string>& later = {});

    /// `auto` or one of several names.
    template <typename T>
    void OptionalChoice(const std::string& name,
                        const Names<T>& names,
                        const std::string& meaning,
                        std::optional<T> RunSettings::*field);

    /// A switch that may stand without a value.
    void Flag(const std::string& name, const std::string& meaning, bool RunSettings::*field);

    /// A number that names random streams, >= 1.
    void Seed(const std::string& name,
              const std::string& meaning,
              std::uint32_t& (*field)(RunSettings&));

    /// The nodes' budgets.
    void Epsilon(const std::string& name, const std::string& meaning);

    /// auto, none or a time > 0.
    void DeadlineOption(const std::string& name, const std::string& meaning);

    /// auto, all, or a number of parts.
    void Share(const std::string& name, const std::string& meaning);

    /// none, or a number of bytes that holds whole parameters.
    void Chunk(const std::string& name, const std::string& meaning);

    /// fixed:TIME.
    void Compute(const std::string& name, const std::string& meaning);

    /// A whole number >= 0, or `auto` for none.
    void OptionalCount(const std::string& name,
                       const std::string& meaning,
                       std::optional<Round> RunSettings::*field);

    /// `option 'NAME'`, as errors call it.
    static std::string Title(const std::string& name)
    {
        return "option '" + name + "'";
    }

  private:
    template <typename T>
    static const T* Find(const std::string& name,
                         const std::string& value,
                         const Names<T>& names,
                         const std::vector<std::string>& later);

    template <typename T>
    static std::vector<std::string> Words(const Names<T>& names);

    template <typename T>
    static std::string NameOf(const Names<T>& names, const T& value);

    std::vector<Option>& m_table; ///< receives the rows
};

template <typename T>
std::vector<std::string>
OptionBuilder::Words(const Names<T>& names)
{
    std::vector<std::string> words;
    for (const auto& entry : names)
    {
        words.push_back(entry.first);
    }
    return words;
}

template <typename T>
std::string
OptionBuilder::NameOf(const Names<T>& names, const T& value)
{
    for (const auto& entry : names)
    {
        if (entry.second == value)
        {
            return entry.first;
        }
    }
    return "";
}

template <typename T>
const T*
OptionBuilder::Find(const std::string& name,
                    const std::string& value,
                    const Names<T>& names,
                    const std::vector<std::string>& later)
{
    for (const auto& entry : names)
    {
        if (entry.first == value)
        {
            return &entry.second;
        }
    }
    for (const std::string& reserved : later)
    {
        if (reserved == value)
        {
            ThrowNotAvailable(Title(name), value);
        }
    }
    ThrowUnknownName(Title(name), value, Words(names));
}

template <typename T>
void
OptionBuilder::Count(const std::string& name,
                     const std::string& zeroName,
                     std::uint64_t low,
                     const std::string& meaning,
                     T RunSettings::*field)
{
    auto show = [field, zeroName](const RunSettings& settings) {
        const T value = settings.*field;
        return value == 0 && !zeroName.empty() ? zeroName : std::to_string(value);
    };
    const std::string accepted =
        (zeroName.empty() ? "" : zeroName + ", or ") + "a whole number >= " + std::to_string(low);
    auto set = [name, zeroName, low, field](RunSettings& settings, const std::string& text) {
        constexpr std::uint64_t high = std::numeric_limits<std::uint32_t>::max();
        settings.*field = !zeroName.empty() && text == zeroName
                              ? T{0}
                              : static_cast<T>(ParseInteger(Title(name), text, low, high));
    };
    m_table.push_back({name, show(RunSettings{}), accepted, meaning, false, set, show});
}

template <typename T>
void
OptionBuilder::Registered(const std::string& name,
                          const Registry<T>& registry,
                          const std::string& meaning,
                          T RunSettings::*field)
{
    const std::vector<std::string> accepted = registry.AvailableNames();
    auto set = [&registry, field](RunSettings& settings, const std::string& text) {
        settings.*field = registry.Get(text);
    };
    auto show = [&registry, field](const RunSettings& settings) {
        return registry.NameOf(settings.*field);
    };
    m_table.push_back({name, accepted.front(), JoinNames(accepted), meaning, false, set, show});
}

template <typename T>
void
OptionBuilder::Choice(const std::string& name,
                      const Names<T>& names,
                      const std::string& meaning,
                      T RunSettings::*field,
                      const std::vector<std::string>& later)
{
    auto set = [name, names, later, field](RunSettings& settings, const std::string& text) {
        settings.*field = *Find(name, text, names, later);
    };
    auto show = [names, field](const RunSettings& settings) {
        return NameOf(names, settings.*field);
    };
    m_table.push_back(
        {name, names.front().first, JoinNames(Words(names)), meaning, false, set, show});
}

template <typename T>
void
OptionBuilder::OptionalChoice(const std::string& name,
                              const Names<T>& names,
                              const std::string& meaning,
                              std::optional<T> RunSettings::*field)
{
    Names<std::optional<T>> withAuto{{"auto", std::nullopt}};
    for (const auto& entry : names)
    {
        withAuto.emplace_back(entry.first, entry.second);
    }
    Choice<std::optional<T>>(name, withAuto, meaning, field);
}

} // namespace dpdl

#endif // DPDL_EXPERIMENT_OPTION_BUILDER_H
