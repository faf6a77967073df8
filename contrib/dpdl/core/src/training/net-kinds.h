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

/// Function that checks the value of a key and stores it in a layer.
/// @param fail function that throws UsageError naming the key and the accepted values
using TakeValue = std::function<void(const JsonValue& value,
                                     NetLayer& layer,
                                     const std::function<void(const std::string& expected)>& fail)>;

/// A key that a kind of layer accepts in a model file.
struct NetKey
{
    std::string name;
    bool isRequired;
    TakeValue take;
};

/// A kind of layer, and the keys that it accepts in a model file.
struct NetKindRow
{
    NetKind kind;
    std::vector<NetKey> keys;
};

/// All kinds of layers by name. NetKindRow::keys lacks the keys that layers of all kinds accept.
const std::map<std::string, NetKindRow>& NetKinds();

/// Advice in the error message for refused kinds of layers, by PyTorch's name. No private run
/// supports these kinds, such as batch normalisation and dropout.
const std::map<std::string, std::string>& RefusedNetKinds();

/// Parses an integer in a model file.
/// @param least smallest accepted value
/// @param[out] whole receives the integer, if it is accepted
/// @return true if the value is an integer in the range of NetRange()
bool TakeWhole(const JsonValue& value, std::uint32_t least, std::uint32_t& whole);

/// Parses the shape of an example: a list of 1 to 3 lengths.
/// @param[out] shape receives the shape, if it is accepted
/// @return true if the value is such a list
bool TakeShape(const JsonValue& value, NetShape& shape);

/// Text for error messages that describes the accepted integers.
/// @param least smallest accepted value
std::string NetRange(std::uint32_t least);

/// Text of a JSON value for messages.
std::string ShowJson(const JsonValue& value);

} // namespace dpdl

#endif // DPDL_TRAINING_NET_KINDS_H
