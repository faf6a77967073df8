// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_OPTION_CODECS_H
#define DPDL_EXPERIMENT_OPTION_CODECS_H

#include "dpdl/base/codec.h"
#include "dpdl/experiment/node-epsilons.h"
#include "dpdl/experiment/run-choices.h"

#include <functional>

// Kinds of values that only options of a run have, and what others call the options.

namespace dpdl
{

/// Shown value of an option that the algorithm decides.
inline const std::string OF_THE_PRESET = "of the preset";

/// A number > 0; @p noneName is shown, and unless it is OF_THE_PRESET accepted, for no value.
Codec<std::optional<double>> Positive(const std::string& noneName = OF_THE_PRESET);

/// At most one text; another one takes its place.
Codec<std::vector<std::string>> OneText(const std::string& accepted);

/// none, or a number of bytes that holds whole parameters.
Codec<std::size_t> ChunkBytes();

/// auto, none or a time > 0.
Codec<Deadline> RoundDeadline();

/// A text that @p check accepts; else it throws UsageError. @p check gets the option's title too.
Codec<std::string> CheckedText(
    const std::string& accepted,
    const std::function<void(const std::string& title, const std::string& text)>& check);

/// Codec of NodeEpsilons.
Codec<NodeEpsilons> Epsilons();

/// The option that other programs call @p name, such as `lr`; empty: none is known.
std::string NamedElsewhere(const std::string& name);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_OPTION_CODECS_H
