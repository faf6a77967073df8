// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_OPTION_CODECS_H
#define DPDL_EXPERIMENT_OPTION_CODECS_H

#include "dpdl/base/codec.h"
#include "dpdl/experiment/node-epsilons.h"
#include "dpdl/experiment/resolve.h"

#include <functional>

// Codecs of the values of a run's options, and names of these options in other programs.

namespace dpdl
{

/// Text that stands for the default of an option if the algorithm determines the default.
inline const std::string OF_THE_PRESET = "of the preset";

/// Codec of an optional number > 0. An empty value is shown as @p noneName. The text @p noneName is
/// also accepted and gives an empty value, except OF_THE_PRESET, which is not accepted.
Codec<std::optional<double>> Positive(const std::string& noneName = OF_THE_PRESET);

/// Codec of a text in a vector with at most one element. If the option is repeated, the last text
/// replaces the earlier texts.
Codec<std::vector<std::string>> OneText(const std::string& accepted);

/// Codec of a number of bytes > 0 that is a multiple of sizeof(float); `none` is 0.
Codec<std::size_t> ChunkBytes();

/// Codec of option `deadline`: auto, none or a time > 0.
Codec<Deadline> RoundDeadline();

/// Codec of a text with a custom check. @p check receives the option's title and the text, and
/// throws UsageError if it does not accept the text.
Codec<std::string> CheckedText(
    const std::string& accepted,
    const std::function<void(const std::string& title, const std::string& text)>& check);

/// Codec of NodeEpsilons: a number > 0, `range:LOW..HIGH` or `file:PATH`.
Codec<NodeEpsilons> Epsilons();

/// Accesses an optional member of RunOptions. If the member is empty, it reads as a default value.
template <typename V>
struct OrUsual
{
    /// Member that stores the option; empty: the user did not give it.
    std::optional<V> RunOptions::*asked;
    V usual; ///< default, which the help text shows

    std::optional<V>& operator()(RunOptions& settings) const
    {
        return settings.*asked;
    }

    const V& operator()(const RunOptions& settings) const
    {
        return (settings.*asked).has_value() ? *(settings.*asked) : usual;
    }
};

/// Accessor of an option whose default is the default of a member of ResolvedRun.
/// @param asked member of RunOptions that stores the option
/// @param inForce member of ResolvedRun
template <typename V, typename Part>
OrUsual<V>
Usual(std::optional<V> RunOptions::*asked, V Part::*inForce)
{
    return {asked, ResolvedRun().*inForce};
}

/// Name of the run's option that other programs call @p name, such as `lr`; "" if there is none.
std::string NamedElsewhere(const std::string& name);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_OPTION_CODECS_H
