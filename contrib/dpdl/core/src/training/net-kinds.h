// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_NET_KINDS_H
#define DPDL_TRAINING_NET_KINDS_H

#include "net-file.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace dpdl
{

/// Stores the value of a key in a layer. @param fail throws an error that names the accepted values
using TakeValue = std::function<void(const JsonValue& value,
                                     NetLayer& layer,
                                     const std::function<void(const std::string& expected)>& fail)>;

/// A key that a kind of layer accepts.
struct NetKey
{
    std::string name;
    bool isRequired;
    TakeValue take;
};

/// A kind of layer, with the keys that such a layer has in a model file.
struct NetKindRow
{
    NetKind kind;
    std::vector<NetKey> keys;
};

/// All kinds of layers, with their keys except those common to all layers.
const std::map<std::string, NetKindRow>& NetKinds();

/// Kinds of PyTorch that no private run supports, with the accepted alternative.
const std::map<std::string, std::string>& RefusedNetKinds();

/// @brief Reads an integer of a file. @param least smallest accepted value @return true if the
/// value is in the range of NetRange(); it is then stored
bool TakeWhole(const JsonValue& value, std::uint32_t least, std::uint32_t& whole);

/// @brief Reads the shape of an example, 1 to 3 lengths. @return true if the value is one; it is
/// then stored
bool TakeShape(const JsonValue& value, NetShape& shape);

/// Text of the accepted integers, for messages.
std::string NetRange(std::uint32_t least);

/// Text of a value, for messages.
std::string ShowJson(const JsonValue& value);

} // namespace dpdl

#endif // DPDL_TRAINING_NET_KINDS_H
