// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "net-kinds.h"

#include "dpdl/base/quantity.h"

#include <cmath>

// Table of the layer kinds of model files: the keys of each kind, and functions that check and
// store their values.

namespace dpdl
{

namespace
{

constexpr std::uint32_t LONGEST_SIDE = 1U << 24;

NetKey
Whole(const std::string& name,
      std::uint32_t NetLayer::*field,
      bool isRequired = true,
      std::uint32_t least = 1)
{
    return {name, isRequired, [=](const JsonValue& value, NetLayer& layer, const auto& fail) {
                if (!TakeWhole(value, least, layer.*field))
                {
                    fail(NetRange(least));
                }
            }};
}

/// Key whose value is a NetPair: one number for both rows and columns, or a list of two.
/// @param field field that stores the value
/// @param least smallest accepted number
NetKey
Pair(const std::string& name, NetPair NetLayer::*field, bool isRequired, std::uint32_t least = 1)
{
    return {name, isRequired, [=](const JsonValue& value, NetLayer& layer, const auto& fail) {
                const auto* const list = std::get_if<JsonValue::List>(&value.value);
                NetPair& pair = layer.*field;
                const bool isPair = list != nullptr ? list->size() == 2 &&
                                                          TakeWhole((*list)[0], least, pair[0]) &&
                                                          TakeWhole((*list)[1], least, pair[1])
                                                    : TakeWhole(value, least, pair[0]);
                if (!isPair)
                {
                    fail(NetRange(least) + ", or a list of two, [rows, columns]");
                }
                pair[1] = list != nullptr ? pair[1] : pair[0];
            }};
}

/// Key whose value is one number, the columns of a NetPair in a 1-D layer.
/// @param field field that stores the value
/// @param least smallest accepted number
NetKey
Length(const std::string& name, NetPair NetLayer::*field, bool isRequired, std::uint32_t least = 1)
{
    return {name, isRequired, [=](const JsonValue& value, NetLayer& layer, const auto& fail) {
                if (!TakeWhole(value, least, (layer.*field)[1]))
                {
                    fail(NetRange(least));
                }
            }};
}

NetKey
Bias()
{
    return {"bias", false, [](const JsonValue& value, NetLayer& layer, const auto& fail) {
                const auto* const truth = std::get_if<bool>(&value.value);
                if (truth == nullptr)
                {
                    fail("true or false");
                }
                layer.bias = *truth;
            }};
}

NetKey
Eps()
{
    return {"eps", false, [](const JsonValue& value, NetLayer& layer, const auto& fail) {
                const auto* const number = std::get_if<double>(&value.value);
                if (number == nullptr || !(*number > 0.0 && *number <= 1.0))
                {
                    fail("a number above 0, at most 1");
                }
                layer.eps = *number;
            }};
}

std::map<std::string, NetKindRow>
MakeNetKinds()
{
    using L = NetLayer;
    // Keys of a window.
    // @param read function that makes a key: Length for 1-D layers, Pair for 2-D layers
    const auto window = [](auto read) {
        return std::vector<NetKey>{read("kernel", &L::kernel, true, 1),
                                   read("stride", &L::stride, false, 1),
                                   read("padding", &L::padding, false, 0)};
    };
    const auto convolution = [&window](auto read) {
        std::vector<NetKey> keys = window(read);
        keys.insert(keys.begin(), Whole("out", &L::out));
        keys.insert(keys.end(), {Whole("groups", &L::groups, false), Bias()});
        return keys;
    };
    return {
        {"adaptive_avg_pool1d", {NetKind::ADAPTIVE_AVG_POOL1D, {Length("size", &L::size, true)}}},
        {"adaptive_avg_pool2d", {NetKind::ADAPTIVE_AVG_POOL2D, {Pair("size", &L::size, true)}}},
        {"add", {NetKind::ADD, {}}},
        {"attention", {NetKind::ATTENTION, {Whole("heads", &L::heads)}}},
        {"avg_pool1d", {NetKind::AVG_POOL1D, window(Length)}},
        {"avg_pool2d", {NetKind::AVG_POOL2D, window(Pair)}},
        {"class_token", {NetKind::CLASS_TOKEN, {}}},
        {"conv1d", {NetKind::CONV1D, convolution(Length)}},
        {"conv2d", {NetKind::CONV2D, convolution(Pair)}},
        {"embedding", {NetKind::EMBEDDING, {Whole("count", &L::count), Whole("out", &L::out)}}},
        {"flatten", {NetKind::FLATTEN, {Whole("start", &L::start, false)}}},
        {"gelu", {NetKind::GELU, {}}},
        {"group_norm", {NetKind::GROUP_NORM, {Whole("groups", &L::groups), Eps()}}},
        {"layer_norm", {NetKind::LAYER_NORM, {Eps()}}},
        {"linear", {NetKind::LINEAR, {Whole("out", &L::out), Bias()}}},
        {"max_pool1d", {NetKind::MAX_POOL1D, window(Length)}},
        {"max_pool2d", {NetKind::MAX_POOL2D, window(Pair)}},
        {"mean", {NetKind::MEAN, {}}},
        {"position", {NetKind::POSITION, {}}},
        {"relu", {NetKind::RELU, {}}},
        {"select", {NetKind::SELECT, {Whole("index", &L::index, true, 0)}}},
        {"sigmoid", {NetKind::SIGMOID, {}}},
        {"tanh", {NetKind::TANH, {}}},
        {"transpose", {NetKind::TRANSPOSE, {}}}};
}

} // namespace

bool
TakeWhole(const JsonValue& value, std::uint32_t least, std::uint32_t& whole)
{
    const auto* const number = std::get_if<double>(&value.value);
    if (number == nullptr || *number < least || *number > LONGEST_SIDE ||
        *number != std::floor(*number))
    {
        return false;
    }
    whole = static_cast<std::uint32_t>(*number);
    return true;
}

bool
TakeShape(const JsonValue& value, NetShape& shape)
{
    const auto* const list = std::get_if<JsonValue::List>(&value.value);
    if (list == nullptr || list->empty() || list->size() > 3)
    {
        return false;
    }
    shape.resize(list->size());
    for (std::size_t i = 0; i < shape.size(); ++i)
    {
        if (!TakeWhole((*list)[i], 1, shape[i]))
        {
            return false;
        }
    }
    return true;
}

std::string
NetRange(std::uint32_t least)
{
    return "a whole number from " + std::to_string(least) + " to " + std::to_string(LONGEST_SIDE);
}

std::string
ShowJson(const JsonValue& value)
{
    if (const auto* const number = std::get_if<double>(&value.value))
    {
        return ShowNumber(*number);
    }
    if (const auto* const text = std::get_if<std::string>(&value.value))
    {
        return *text;
    }
    return std::string("a value of type ") + value.TypeName();
}

const std::map<std::string, NetKindRow>&
NetKinds()
{
    static const std::map<std::string, NetKindRow> kinds = MakeNetKinds();
    return kinds;
}

const std::map<std::string, std::string>&
RefusedNetKinds()
{
    static const std::string batchNorm =
        "group_norm: with batch normalisation the gradient of an example depends on the others, "
        "so that clipping bounds nothing";
    static const std::map<std::string, std::string> reasons{
        {"dropout",
         "no dropout: it makes the gradient of an example depend on random numbers that are not "
         "a function of the seed; leave the layer out"},
        {"batch_norm1d", batchNorm},
        {"batch_norm2d", batchNorm}};
    return reasons;
}

} // namespace dpdl
