// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_OPTION_CODECS_H
#define DPDL_EXPERIMENT_OPTION_CODECS_H

#include "dpdl/base/codec.h"
#include "dpdl/experiment/node-epsilons.h"
#include "dpdl/experiment/resolve.h"

#include <functional>

// Codecs of values that only options of a run have, and the names of options in other programs.

namespace dpdl
{

/// Displayed value of an option that the algorithm determines.
inline const std::string OF_THE_PRESET = "of the preset";

/// Codec of an optional number > 0. An empty value is displayed as @p noneName. This text is also
/// accepted as input, unless it is OF_THE_PRESET.
Codec<std::optional<double>> Positive(const std::string& noneName = OF_THE_PRESET);

/// Codec of a list of at most one text. If the option is repeated, the last text replaces the
/// earlier ones.
Codec<std::vector<std::string>> OneText(const std::string& accepted);

/// Codec of `none`, or a number of bytes that is a multiple of a parameter's size.
Codec<std::size_t> ChunkBytes();

/// Codec of option `deadline`: auto, none or a time > 0.
Codec<Deadline> RoundDeadline();

/// Codec of a text. @p check receives the option's title and the text, and throws UsageError if the
/// text is not accepted.
Codec<std::string> CheckedText(
    const std::string& accepted,
    const std::function<void(const std::string& title, const std::string& text)>& check);

/// Codec of NodeEpsilons.
Codec<NodeEpsilons> Epsilons();

/// Accesses an option without a fixed default, and holds the default to display.
template <typename V>
struct OrUsual
{
    std::optional<V> RunOptions::*asked; ///< member that stores the option
    V usual;                             ///< default that the help text shows

    std::optional<V>& operator()(RunOptions& settings) const
    {
        return settings.*asked;
    }

    const V& operator()(const RunOptions& settings) const
    {
        return (settings.*asked).has_value() ? *(settings.*asked) : usual;
    }
};

template <typename V, typename Part>
OrUsual<V>
Usual(std::optional<V> RunOptions::*asked, V Part::*inForce)
{
    return {asked, ResolvedRun().*inForce};
}

/// The option that other programs call @p name, such as `lr`; empty if there is none.
std::string NamedElsewhere(const std::string& name);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_OPTION_CODECS_H
