// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "net-file.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "net-kinds.h"

#include <algorithm>
#include <map>

// Parsing of model files: NetParser reads the JSON layer by layer, checks keys and references to
// other layers, and infers shapes with CompleteLayer().

namespace dpdl
{

namespace
{

const std::string FORMAT = "dpdl-net-1";
const std::string EXAMPLE = "input"; ///< name by which layers refer to the input example

constexpr std::size_t MOST_LAYERS = 4096;
constexpr std::size_t LONGEST_NAME = 200;
constexpr double MOST_PARAMETERS = 1e9;
constexpr double MOST_VALUES = 1e8;

template <class Row>
std::vector<std::string>
NamesOf(const std::map<std::string, Row>& rows)
{
    std::vector<std::string> names;
    for (const auto& [name, row] : rows)
    {
        names.push_back(name);
    }
    return names;
}

/// Builds a Net from the JSON of a model file.
class NetParser
{
  public:
    explicit NetParser(const std::string& path)
        : m_place("model file '" + path + "'")
    {
        m_net.path = path;
    }

    Net Parse(const JsonValue& whole)
    {
        const JsonValue& format = Member(whole, "format", "\"" + FORMAT + "\"");
        DPDL_REFUSE_IF(ShowJson(format) != FORMAT, m_place + ", format", ShowJson(format), FORMAT);
        CheckKeys(whole, {"format", "input", "layers"}, m_place);
        TakeInput(Member(whole, "input", "the shape of an example"));
        const auto* const layers =
            std::get_if<JsonValue::List>(&Member(whole, "layers", "a list of layers").value);
        DPDL_REFUSE_IF(layers == nullptr || layers->empty() || layers->size() > MOST_LAYERS,
                       m_place + ", layers",
                       layers == nullptr ? "no list" : std::to_string(layers->size()) + " layers",
                       "a list of 1 to " + std::to_string(MOST_LAYERS) + " layers");
        for (const JsonValue& layer : *layers)
        {
            TakeLayer(layer);
        }
        CheckUsed();
        DPDL_REFUSE_IF(m_net.layers.back().shape.size() != 1,
                       m_place + ", output",
                       ShapeText(m_net.layers.back().shape),
                       "one axis of scores, as behind flatten and linear");
        DPDL_REFUSE_IF(m_net.tensors.empty(), m_place, "no layer with parameters", "at least one");
        return std::move(m_net);
    }

  private:
    const JsonValue& Member(const JsonValue& object,
                            const std::string& name,
                            const std::string& expected) const
    {
        const JsonValue* const member = object.Find(name);
        DPDL_REFUSE_IF(member == nullptr,
                       m_place,
                       "no \"" + name + "\"",
                       "\"" + name + "\": " + expected);
        return *member;
    }

    static void CheckKeys(const JsonValue& object,
                          const std::vector<std::string>& known,
                          const std::string& place)
    {
        for (const auto& [name, value] : std::get<JsonValue::Object>(object.value))
        {
            if (std::find(known.begin(), known.end(), name) == known.end())
            {
                ThrowUnknownName(place + ", line " + std::to_string(value.line) + ", key",
                                 Excerpt(name),
                                 known);
            }
        }
    }

    void TakeInput(const JsonValue& value)
    {
        const bool isList = std::holds_alternative<JsonValue::List>(value.value);
        DPDL_REFUSE_IF(!TakeShape(value, m_net.input),
                       m_place + ", input",
                       isList ? "another list" : ShowJson(value),
                       "[width], [height, width] or [channels, height, width], each " +
                           NetRange(1));
        CheckSize(m_place + ", input");
    }

    void TakeLayer(const JsonValue& value)
    {
        const std::size_t number = m_net.layers.size();
        const std::string place = m_place + ", layer " + std::to_string(number + 1);
        DPDL_REFUSE_IF(!std::holds_alternative<JsonValue::Object>(value.value),
                       place,
                       ShowJson(value),
                       "an object such as {\"kind\": \"relu\"}");
        const JsonValue* const kind = value.Find("kind");
        const std::string name = kind != nullptr && std::holds_alternative<std::string>(kind->value)
                                     ? std::get<std::string>(kind->value)
                                     : "";
        const auto refused = RefusedNetKinds().find(name);
        DPDL_REFUSE_IF(refused != RefusedNetKinds().end(), place + ", kind", name, refused->second);
        const auto row = NetKinds().find(name);
        if (row == NetKinds().end())
        {
            ThrowUnknownName(place + ", kind", Excerpt(name), NamesOf(NetKinds()));
        }
        NetLayer layer;
        layer.kind = row->second.kind;
        layer.kindName = name;
        TakeKeys(value, row->second, place + " (" + name + ")", layer);
        m_net.layers.push_back(std::move(layer));
        CompleteLayer(m_net, number);
        CheckSize(place);
    }

    void TakeKeys(const JsonValue& value,
                  const NetKindRow& row,
                  const std::string& place,
                  NetLayer& layer)
    {
        std::vector<std::string> known{"kind", "name", "input"};
        if (row.kind == NetKind::ADD)
        {
            known.emplace_back("from");
        }
        for (const NetKey& key : row.keys)
        {
            known.push_back(key.name);
        }
        CheckKeys(value, known, place);
        for (const NetKey& key : row.keys)
        {
            const JsonValue* const found = value.Find(key.name);
            const auto fail = [&](const std::string& expected) {
                throw UsageError(place + ", " + key.name,
                                 found == nullptr ? "nothing" : ShowJson(*found),
                                 expected);
            };
            if (found != nullptr)
            {
                key.take(*found, layer, fail);
            }
            else if (key.isRequired)
            {
                fail("a value, which has no default");
            }
        }
        const bool isPool = row.kind == NetKind::MAX_POOL1D || row.kind == NetKind::MAX_POOL2D ||
                            row.kind == NetKind::AVG_POOL1D || row.kind == NetKind::AVG_POOL2D;
        if (isPool && value.Find("stride") == nullptr)
        {
            layer.stride = layer.kernel;
        }
        layer.source = m_net.layers.size();
        TakeReference(value, "input", place, layer.source);
        DPDL_REFUSE_IF(row.kind == NetKind::ADD &&
                           !TakeReference(value, "from", place, layer.other),
                       place + ", from",
                       "nothing",
                       "the name of an earlier layer");
        if (layer.kind == NetKind::ADD && layer.other == m_net.layers.size())
        {
            // The sum does not depend on the order of its summands, but the native engine needs the
            // output of the previous layer as `source`.
            std::swap(layer.source, layer.other);
        }
        TakeName(value, place, layer);
    }

    /// Reads a key that names the input of a layer.
    /// @param[out] flow 0 for the example, i + 1 for the output of layer i; unchanged if the key is
    /// missing
    /// @return true if the key exists
    bool TakeReference(const JsonValue& value,
                       const std::string& key,
                       const std::string& place,
                       std::size_t& flow) const
    {
        const JsonValue* const found = value.Find(key);
        if (found == nullptr)
        {
            return false;
        }
        const auto flowOf = m_flows.find(ShowJson(*found));
        if (flowOf == m_flows.end())
        {
            const std::string nearest = NearestName(Excerpt(ShowJson(*found)), NamesOf(m_flows));
            throw UsageError(place + ", " + key,
                             ShowJson(*found),
                             "input, or the name of an earlier layer" +
                                 (nearest.empty() ? "" : " (did you mean '" + nearest + "'?)"));
        }
        flow = flowOf->second;
        return true;
    }

    void TakeName(const JsonValue& value, const std::string& place, NetLayer& layer)
    {
        const JsonValue* const found = value.Find("name");
        layer.name = found != nullptr ? ShowJson(*found) : "layer" + std::to_string(m_flows.size());
        const bool isText = found == nullptr || std::holds_alternative<std::string>(found->value);
        const bool isName =
            isText && !layer.name.empty() && layer.name.size() <= LONGEST_NAME &&
            std::all_of(layer.name.begin(), layer.name.end(), [](char letter) {
                const bool isDigit = letter >= '0' && letter <= '9';
                const bool isLetter =
                    (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
                return isDigit || isLetter || letter == '.' || letter == '_' || letter == '-';
            });
        DPDL_REFUSE_IF(!isName,
                       place + ", name",
                       layer.name,
                       "letters, digits, '.', '_' and '-', at most " +
                           std::to_string(LONGEST_NAME));
        DPDL_REFUSE_IF(!m_flows.emplace(layer.name, m_net.layers.size() + 1).second,
                       place + ", name",
                       layer.name,
                       "a name that no other layer has");
    }

    /// Checks that the output of each layer is used, because an unused layer would have no
    /// gradient.
    void CheckUsed() const
    {
        std::vector<bool> isUsed(m_net.layers.size() + 1, false);
        isUsed.back() = true;
        for (const NetLayer& layer : m_net.layers)
        {
            isUsed[layer.source] = true;
            isUsed[layer.other] = true;
        }
        const auto unused = std::find(isUsed.begin() + 1, isUsed.end(), false);
        DPDL_REFUSE_IF(unused != isUsed.end(),
                       m_net.Place(static_cast<std::size_t>(unused - isUsed.begin()) - 1),
                       "an output that no layer takes",
                       "each output as the input of another layer, except the last one");
    }

    void CheckSize(const std::string& place) const
    {
        const auto parameters = static_cast<double>(m_net.Parameters());
        DPDL_REFUSE_IF(parameters > MOST_PARAMETERS || m_net.Values() > MOST_VALUES,
                       place,
                       ShowNumber(parameters) + " parameters and " + ShowNumber(m_net.Values()) +
                           " values of an example up to here",
                       "at most " + ShowNumber(MOST_PARAMETERS) + " and " +
                           ShowNumber(MOST_VALUES));
    }

    std::string m_place; ///< kind and path of the file in error messages
    Net m_net;           ///< net with the layers parsed so far
    /// Index of the output of each layer, by the name of the layer: 0 for the example, i + 1 for
    /// layer i.
    std::map<std::string, std::size_t> m_flows{{EXAMPLE, 0}};
};

} // namespace

double
Net::Values() const
{
    double values = 0.0;
    for (std::size_t flow = 0; flow <= layers.size(); ++flow)
    {
        double size = 1.0;
        for (const std::uint32_t side : Shape(flow))
        {
            size *= side;
        }
        values += size;
    }
    return values;
}

std::size_t
Net::Parameters() const
{
    std::size_t count = 0;
    for (const ParameterTensor& tensor : tensors)
    {
        count += tensor.size;
    }
    return count;
}

std::vector<std::string>
Net::TensorNames() const
{
    std::vector<std::string> names;
    for (const ParameterTensor& tensor : tensors)
    {
        names.push_back(tensor.name);
    }
    return names;
}

std::string
Net::Title(std::size_t layer) const
{
    return "layer " + std::to_string(layer + 1) + " (" + layers[layer].kindName + ", '" +
           layers[layer].name + "')";
}

std::string
Net::Place(std::size_t layer) const
{
    return "model file '" + path + "', " + Title(layer);
}

std::string
ShapeText(const NetShape& shape)
{
    std::string text;
    for (const std::uint32_t side : shape)
    {
        text += (text.empty() ? "" : ", ") + std::to_string(side);
    }
    return "[" + text + "]";
}

Net
ParseNet(const JsonValue& whole, const std::string& path)
{
    return NetParser(path).Parse(whole);
}

} // namespace dpdl
