// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_NET_KINDS_H
#define DPDL_TRAINING_NET_KINDS_H

#include "dpdl/base/json.h"
#include "net-file.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace dpdl
{

/// Takes a value of a key into a layer. @param fail throws: what is accepted in its place
using TakeValue = std::function<void(const JsonValue& value,
                                     NetLayer& layer,
                                     const std::function<void(const std::string& expected)>& fail)>;

/// A key of a kind of layer.
struct NetKey
{
    std::string name;
    bool isRequired;
    TakeValue take;
};

/// A kind of layer with its keys.
struct NetKindRow
{
    NetKind kind;
    std::vector<NetKey> keys;
};

/// All kinds of layers, with their keys aside from those that every layer has.
const std::map<std::string, NetKindRow>& NetKinds();

/// Kinds that PyTorch has and no private run can take, and what is accepted in their place.
const std::map<std::string, std::string>& RefusedNetKinds();

/// @brief Takes a whole number of a file. @param least what it is at least
/// @return whether the value is one in the range of NetRange(), which is then stored
bool TakeWhole(const JsonValue& value, std::uint32_t least, std::uint32_t& whole);

/// The whole numbers that are accepted, for messages.
std::string NetRange(std::uint32_t least);

/// Text of a value, for messages.
std::string ShowJson(const JsonValue& value);

} // namespace dpdl

#endif // DPDL_TRAINING_NET_KINDS_H
