// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Models of files: what is accepted, which engine computes them, and their gradients against those
// of PyTorch (net-oracles.json, which net_oracles.py records).

#include "../mistakes.h"
#include "../usage-message.h"
#include "dpdl/base/json.h"
#include "gradient-runs.h"
#include "net-kinds.h"
#include "net-model.h"

#include <filesystem>
#include <iomanip>
#include <sstream>
#include <unistd.h>

namespace dpdl
{
namespace
{

/// A file in the folder of the test, removed at the end.
class ModelFile
{
  public:
    explicit ModelFile(const std::string& text)
        : m_path(testing::TempDir() + "net-" + std::to_string(getpid()) + ".json")
    {
        std::ofstream(m_path) << text;
    }

    ~ModelFile()
    {
        std::filesystem::remove(m_path);
    }

    ModelFile(const ModelFile&) = delete;
    ModelFile& operator=(const ModelFile&) = delete;

    std::string Name() const
    {
        return "file:" + m_path;
    }

  private:
    std::string m_path;
};

std::string
NetText(const std::string& input, const std::string& layers)
{
    return R"({"format": "dpdl-net-1", "input": )" + input + R"(, "layers": [)" + layers + "]}";
}

Net
NetOf(const std::string& text)
{
    return ParseNet(ParseJson(text, "model file 'n.json'"), "n.json");
}

std::string
Refusal(const std::string& text)
{
    return UsageMessage([&text] { NetOf(text); });
}

std::string
RefusalOf(const std::string& layers, const std::string& input = "[1, 28, 28]")
{
    return Refusal(NetText(input, layers));
}

const std::string CNN_S = R"(
    {"kind": "conv2d", "out": 16, "kernel": 8, "stride": 2, "padding": 3}, {"kind": "relu"},
    {"kind": "max_pool2d", "kernel": 2, "stride": 1},
    {"kind": "conv2d", "out": 32, "kernel": 4, "stride": 2}, {"kind": "relu"},
    {"kind": "max_pool2d", "kernel": 2, "stride": 1}, {"kind": "flatten"},
    {"kind": "linear", "out": 32}, {"kind": "relu"}, {"kind": "linear", "out": 10})";

const std::string MLP = R"(
    {"kind": "flatten", "name": "x"}, {"kind": "linear", "out": 10}, {"kind": "tanh"},
    {"kind": "linear", "out": 784}, {"kind": "tanh"}, {"kind": "add", "from": "x"},
    {"kind": "linear", "out": 10}, {"kind": "tanh"})";

TEST(NetFile, TheLayersOfABuiltInModelGiveItsGradientsBitByBit)
{
    for (const auto& [name, layers] : {std::pair{"cnn-s", CNN_S}, {"mlp", MLP}})
    {
        const ModelFile file(NetText("[1, 28, 28]", layers));
        const ModelSpec built = MakeModel(name, {1, 28, 28}, 10);
        const ModelSpec read = MakeModel(file.Name(), {1, 28, 28}, 10);
        EXPECT_EQ(ResolveEngine("auto", read), "native") << read.engineReason;
        EXPECT_EQ(read.Parts(), built.Parts());
        const std::vector<float> z = InitialParameters(built, "default", {3, 1});
        EXPECT_EQ(InitialParameters(read, "default", {3, 1}), z);
        const auto images = MakeTestImages({1, 28, 28}, 20, 1);
        for (const double clip : {NO_CLIP, 0.5})
        {
            const auto one = Compute("auto", built, z, images->train, FirstExamples(20), clip);
            const auto other = Compute("auto", read, z, images->train, FirstExamples(20), clip);
            EXPECT_EQ(one.sum, other.sum) << name;
            EXPECT_EQ(one.result.lossSum, other.result.lossSum);
        }
    }
}

TEST(NetFile, WhatTheNativeEngineLacksIsLeftToLibTorchAndTheReasonNamesTheLayer)
{
    const std::string head = R"({"kind": "flatten"}, {"kind": "linear", "out": 10})";
    const std::vector<std::pair<std::string, std::string>> cases{
        {R"({"kind": "gelu"},)", "layer 1 (gelu, 'layer1') is of a kind that it does not have"},
        {R"({"kind": "conv2d", "out": 2, "kernel": 3, "bias": false},)", "has no bias"},
        {R"({"kind": "conv2d", "out": 2, "kernel": [3, 2]},)", "rows that differ from columns"},
        {R"({"kind": "max_pool2d", "kernel": 2, "padding": 1},)", "has padding"},
        {R"({"kind": "linear", "out": 3},)", "several vectors of an example"},
        {R"({"kind": "relu", "name": "a"}, {"kind": "add", "from": "a"},)", "to itself"}};
    for (const auto& [layers, reason] : cases)
    {
        const NetChain chain = ChainOf(NetOf(NetText("[1, 8, 8]", layers + head)));
        EXPECT_TRUE(chain.layers.empty()) << layers;
        EXPECT_NE(chain.obstacle.find(reason), std::string::npos) << chain.obstacle;
    }
    const std::string pool = R"({"kind": "max_pool2d", "kernel": 256},)";
    const NetChain chain = ChainOf(NetOf(NetText("[1, 256, 256]", pool + head)));
    EXPECT_NE(chain.obstacle.find("has a kernel above 255"), std::string::npos) << chain.obstacle;
}

TEST(NetFile, BadFilesAreRefusedInOneLineThatNamesTheLayer)
{
    for (const auto& [layers, message] : MistakesOf("layers of a net"))
    {
        const std::string found = RefusalOf(layers);
        EXPECT_NE(found.find(message), std::string::npos) << found;
        EXPECT_EQ(found.rfind("model file 'n.json'", 0), 0U) << found;
        EXPECT_EQ(found.find('\n'), std::string::npos) << found;
    }
}

TEST(NetFile, BadTextsAreRefusedInOneLine)
{
    const std::string good = NetText("[4]", R"({"kind": "linear", "out": 2})");
    ASSERT_EQ(Refusal(good), "accepted");
    for (std::size_t length = 0; length < good.size(); ++length)
    {
        EXPECT_NE(Refusal(good.substr(0, length)), "accepted") << "truncated at " << length;
    }
    const std::vector<std::pair<std::string, std::string>> cases{
        {"[]", "no \"format\""},
        {R"({"format": "dpdl-net-2"})", "format: 'dpdl-net-2'"},
        {R"({"format": "dpdl-net-1", "input": [3], "layers": 3})", "layers: 'no list'"},
        {NetText("[]", ""), "input"},
        {NetText("[1, 2, 3, 4]", ""), "input"},
        {NetText("[0]", ""), "input"},
        {NetText("[16777216, 16777216, 16777216]", ""), "values of an example"},
        {R"({"format": "dpdl-net-1", "input": [3], "layers": [], "x": 1})", "key: 'x'"},
        {std::string(100000, '['), "inside each other"}};
    for (const auto& [text, message] : cases)
    {
        EXPECT_NE(Refusal(text).find(message), std::string::npos) << Refusal(text);
    }
    std::string layers;
    for (int i = 0; i < 5000; ++i)
    {
        layers += R"({"kind":"relu"},)";
    }
    EXPECT_NE(RefusalOf(layers + R"({"kind":"relu"})").find("5001 layers"), std::string::npos);
}

TEST(NetFile, ExamplesAndClassesHaveToFit)
{
    const ModelFile file(NetText("[4]", R"({"kind": "linear", "out": 2})"));
    EXPECT_EQ(MakeModel(file.Name(), {1, 1, 4}, 2).ParameterCount(), 10U);
    const auto refusal = [&file](ImageShape shape, std::uint32_t classes) {
        return UsageMessage([&] { MakeModel(file.Name(), shape, classes); });
    };
    EXPECT_NE(refusal({1, 2, 2}, 2).find("input: '[4]'"), std::string::npos);
    EXPECT_NE(refusal({1, 1, 4}, 3).find("'2 scores' is not accepted; expected 3"),
              std::string::npos);
}

/// Numbers as net_oracles.py makes them.
std::vector<float>
OracleNumbers(std::size_t count, std::int64_t seed)
{
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto place = static_cast<std::int64_t>(i);
        const std::int64_t number = (place * 7919 + place * place * 13 + seed * 104729) % 1009;
        values[i] = static_cast<float>(static_cast<double>(number) / 1009.0 - 0.5);
    }
    return values;
}

std::vector<double>
NumbersOf(const JsonValue& oracle, const std::string& name)
{
    std::vector<double> numbers;
    for (const JsonValue& item : std::get<JsonValue::List>(oracle.Find(name)->value))
    {
        numbers.push_back(std::get<double>(item.value));
    }
    return numbers;
}

/// A JSON value as text again.
std::string
TextOf(const JsonValue& value)
{
    if (const auto* const object = std::get_if<JsonValue::Object>(&value.value))
    {
        std::string text;
        for (const auto& [name, member] : *object)
        {
            text += (text.empty() ? "{\"" : ", \"") + name + "\": " + TextOf(member);
        }
        return text + "}";
    }
    if (const auto* const list = std::get_if<JsonValue::List>(&value.value))
    {
        std::string text;
        for (const JsonValue& item : *list)
        {
            text += (text.empty() ? "[" : ", ") + TextOf(item);
        }
        return text + "]";
    }
    if (const auto* const text = std::get_if<std::string>(&value.value))
    {
        return "\"" + *text + "\"";
    }
    if (const auto* const truth = std::get_if<bool>(&value.value))
    {
        return *truth ? "true" : "false";
    }
    std::ostringstream text;
    text << std::setprecision(17) << std::get<double>(value.value);
    return text.str();
}

const std::string ORACLES = std::string(DPDL_SOURCE_DIR) + "/test/core/training/";
const std::string SCRIPTS = ORACLES + "scripts/";

/// The recorded modules of a file.
JsonValue
Oracles(const std::string& path = ORACLES + "net-oracles.json")
{
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return ParseJson(text.str(), path);
}

/// The examples of the oracle of a net.
Split
OracleSplit(const std::string& name, const ModelSpec& model)
{
    constexpr std::size_t examples = 3;
    constexpr double words = 11.0;
    Split split;
    split.values = OracleNumbers(examples * model.Shapes().front().Size(), 2);
    if (model.tokens > 0)
    {
        for (float& value : split.values)
        {
            value = std::floor((value + 0.5F) * static_cast<float>(words));
        }
    }
    for (std::size_t i = 0; i < examples; ++i)
    {
        split.labels.push_back(model.Classes() == 1 ? 0.5 * static_cast<double>(i) - 0.5
                                                    : static_cast<double>(i % model.Classes()));
    }
    EXPECT_EQ(model.tokens > 0, name.find("text") != std::string::npos);
    return split;
}

TEST(NetFile, ClippedGradientsOfTenModulesAreThoseOfPyTorch)
{
    std::size_t native = 0;
    const JsonValue oracles = Oracles();
    for (const JsonValue& oracle : std::get<JsonValue::List>(oracles.value))
    {
        const std::string name = std::get<std::string>(oracle.Find("name")->value);
        const ModelFile file(TextOf(*oracle.Find("net")));
        const Net net = ParseNet(*oracle.Find("net"), name);
        NetShape sides(3 - net.input.size(), 1);
        sides.insert(sides.end(), net.input.begin(), net.input.end());
        const ModelSpec model =
            MakeModel(file.Name(), {sides[0], sides[1], sides[2]}, net.layers.back().shape[0]);
        const std::vector<double> expected = NumbersOf(oracle, "sum");
        ASSERT_EQ(model.ParameterCount(), expected.size()) << name;
        const std::vector<float> z = OracleNumbers(expected.size(), 1);
        const Split split = OracleSplit(name, model);
        const std::vector<double> norms = NumbersOf(oracle, "norms");
        const double clip = std::get<double>(oracle.Find("clip")->value);
        native += ResolveEngine("auto", model) == "native" ? 1 : 0;
        for (const std::string engine : {"auto", "libtorch", "libtorch-loop"})
        {
            const auto found = Compute(engine, model, z, split, FirstExamples(3), clip);
            EXPECT_LE(Distance(found.sum, expected), 1e-5 * Norm(expected)) << name << engine;
            EXPECT_NEAR(found.result.normSum, norms[0] + norms[1] + norms[2], 1e-5) << name;
            const auto one = Compute(engine, model, z, split, {1}, NO_CLIP);
            EXPECT_NEAR(one.result.normSum, norms[1], 1e-5 * norms[1]) << name << engine;
        }
    }
    EXPECT_EQ(native, 3U) << "mlp, residual-mlp and cnn";
}

/// A model file that names a script; a pair of texts is exchanged in it.
std::string
ScriptText(const std::string& script, const std::string& from = "", const std::string& to = "")
{
    std::string text = R"({"format": "dpdl-net-1", "input": [12], "script": ")" + script +
                       R"(", "scores": 3, "tokens": 0, "whole": false, "reason": "LSTM"})";
    return text.replace(text.find(from), from.size(), to);
}

TEST(ScriptFile, GradientsOfModulesOfTwoVersionsAreThoseOfPyTorch)
{
    const JsonValue oracles = Oracles(SCRIPTS + "script-oracles.json");
    for (const JsonValue& oracle : std::get<JsonValue::List>(oracles.value))
    {
        const std::string name = std::get<std::string>(oracle.Find("name")->value);
        std::string text = TextOf(*oracle.Find("net"));
        const std::string script = ShowJson(*oracle.Find("net")->Find("script"));
        text.replace(text.find(script), script.size(), SCRIPTS + script);
        const ModelFile file(text);
        const auto read = ParseScriptFile(ParseJson(text, name), name);
        ASSERT_TRUE(read.has_value()) << name;
        const ModelSpec model = MakeModel(file.Name(), ImageShapeOf(read->input), read->scores);
        EXPECT_EQ(ResolveEngine("auto", model), "libtorch-loop");
        EXPECT_EQ(model.engineReason, "engine libtorch-loop because " + read->reason);
        std::vector<std::string> tensors;
        for (const JsonValue& tensor : std::get<JsonValue::List>(oracle.Find("tensors")->value))
        {
            tensors.push_back(ShowJson(tensor));
        }
        ASSERT_EQ(model.Parameters().size(), tensors.size()) << script;
        for (std::size_t i = 0; i < tensors.size(); ++i)
        {
            EXPECT_EQ(model.Parameters()[i].name, tensors[i]) << script;
        }
        const std::vector<double> expected = NumbersOf(oracle, "sum");
        const std::vector<double> norms = NumbersOf(oracle, "norms");
        const double clip = std::get<double>(oracle.Find("clip")->value);
        ASSERT_EQ(model.ParameterCount(), expected.size()) << script;
        const std::vector<float> z = InitialParameters(model, "default", {1, 1});
        const Split split = OracleSplit(name, model);
        const auto found = Compute("auto", model, z, split, FirstExamples(3), clip);
        EXPECT_LE(Distance(found.sum, expected), 2e-5 * Norm(expected)) << script;
        EXPECT_NEAR(found.result.normSum, norms[0] + norms[1] + norms[2], 1e-5) << script;
        const auto again = Compute("auto", model, z, split, FirstExamples(3), clip);
        EXPECT_EQ(found.sum, again.sum) << "another engine gives the same bits: " << script;
    }
}

TEST(ScriptFile, FrozenParametersStayAndSharedOnesAreOne)
{
    {
        const ModelFile frozen(ScriptText(SCRIPTS + "frozen-1.13.pt"));
        EXPECT_EQ(MakeModel(frozen.Name(), {1, 1, 12}, 3).ParameterCount(), 27U);
    }
    const ModelFile tied(ScriptText(SCRIPTS + "tied-1.13.pt"));
    const ModelSpec model = MakeModel(tied.Name(), {1, 1, 12}, 3);
    EXPECT_EQ(model.ParameterCount(), 207U);
    EXPECT_EQ(model.Parts(), 3U);
    EXPECT_EQ(ModelFiles(tied.Name()).back(), SCRIPTS + "tied-1.13.pt");
}

TEST(ScriptFile, TheSameChainGivesTheGradientsOfItsLayers)
{
    // A module of `default` is one linear layer.
    const auto read = [](const std::string& text) {
        const ModelFile file(text);
        return MakeModel(file.Name(), {1, 1, 12}, 3);
    };
    const ModelSpec loop = read(ScriptText(SCRIPTS + "default-2.14.pt"));
    const ModelSpec chain = read(NetText("[12]", R"({"kind": "linear", "out": 3})"));
    const std::vector<float> z = InitialParameters(loop, "default", {1, 1});
    const Split split = OracleSplit("default", loop);
    const auto one = Compute("auto", loop, z, split, FirstExamples(3), 0.5);
    ASSERT_EQ(ResolveEngine("auto", chain), "native");
    const auto native = Compute("auto", chain, z, split, FirstExamples(3), 0.5);
    EXPECT_LE(Distance(one.sum, native.sum), 1e-5 * Norm(native.sum));
    EXPECT_EQ(one.result.clipped, native.result.clipped);
}

TEST(ScriptFile, OtherFilesAreRefusedInOneLine)
{
    const std::string script = SCRIPTS + "default-1.13.pt";
    const std::string broken = testing::TempDir() + "broken-" + std::to_string(getpid()) + ".pt";
    std::ofstream(broken) << "PK no script";
    const auto refusal = [](const std::string& text, std::uint32_t classes = 3) {
        const ModelFile file(text);
        return UsageMessage([&] { MakeModel(file.Name(), {1, 1, 12}, classes); });
    };
    EXPECT_EQ(refusal(ScriptText(script)), "accepted");
    const std::vector<std::pair<std::string, std::string>> cases{
        {refusal(ScriptText(broken)), "a TorchScript file, as dpdl.export_model writes it"},
        {refusal(ScriptText(SCRIPTS + "unknown.pt")), "operation aten::mystery"},
        {refusal(ScriptText(SCRIPTS + "writing.pt")), "a forward pass that writes to 0.bias"},
        {refusal(ScriptText("none.pt")), "none.pt"},
        {refusal(ScriptText(script), 4), "'3 scores' is not accepted; expected 4"},
        {refusal(ScriptText(script, R"("scores": 3)", R"("scores": 4)"), 4), "expected scores"},
        {refusal(ScriptText(script, "[12]", "[13]")), "input: '[13]'"},
        {refusal(ScriptText(SCRIPTS + "lstm-1.13.pt")), "a script that takes the examples"},
        {refusal(ScriptText(script, R"("whole")", R"("hole")")), "whole: 'nothing'"},
        {refusal(ScriptText(script, R"("LSTM")", R"("LSTM", "layers": [])")), "key: 'layers'"}};
    for (const auto& [found, message] : cases)
    {
        EXPECT_NE(found.find(message), std::string::npos) << found;
        EXPECT_EQ(found.find('\n'), std::string::npos) << found;
    }
    std::filesystem::remove(broken);
}

} // namespace
} // namespace dpdl
