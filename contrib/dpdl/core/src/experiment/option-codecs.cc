// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "option-codecs.h"

#include "dpdl/base/quantity.h"

#include <cctype>
#include <map>

namespace dpdl
{

Codec<std::optional<double>>
Positive(const std::string& noneName)
{
    const bool isNoneAccepted = noneName != OF_THE_PRESET;
    const std::string accepted = (isNoneAccepted ? noneName + ", or " : "") + "a number > 0";
    auto codec =
        Maybe(noneName, Number(accepted, [](double value) { return value > 0.0; }), isNoneAccepted);
    codec.accepted = accepted;
    return codec;
}

Codec<std::vector<std::string>>
OneText(const std::string& accepted)
{
    return {accepted,
            [](const std::string& /* name */, const std::string& text) {
                return std::vector<std::string>(text.empty() ? 0 : 1, text);
            },
            [](const auto& texts) { return JoinNames(texts, "; "); }};
}

Codec<std::size_t>
ChunkBytes()
{
    Codec<std::size_t> codec = Count<std::size_t>(sizeof(float), "none");
    codec.accepted = "none, or a number of bytes that is a multiple of 4";
    codec.parse = [parse = codec.parse, accepted = codec.accepted](const std::string& name,
                                                                   const std::string& text) {
        const std::size_t bytes = parse(name, text);
        DPDL_REFUSE_IF(bytes % sizeof(float) != 0, OptionTitle(name), text, accepted);
        return bytes;
    };
    return codec;
}

Codec<NodeEpsilons>
Epsilons()
{
    return {NodeEpsilons::Accepted(),
            [](const std::string& name, const std::string& text) {
                return NodeEpsilons::Parse(OptionTitle(name), text);
            },
            [](const NodeEpsilons& epsilons) { return epsilons.Text(); }};
}

std::string
NamedElsewhere(const std::string& name)
{
    static const std::map<std::string, std::string> OPTIONS{
        {"agents", "nodes"},    {"bandwidth", "dataRate"},    {"clients", "nodes"},
        {"epochs", "rounds"},   {"eps", "epsilon"},           {"gamma", "stepSize"},
        {"gpu", "device"},      {"graph", "topology"},        {"iterations", "rounds"},
        {"latency", "delay"},   {"learningrate", "stepSize"}, {"loss", "drop"},
        {"lossrate", "drop"},   {"lr", "stepSize"},           {"maxgradnorm", "clip"},
        {"output", "trace"},    {"packetloss", "drop"},       {"steps", "rounds"},
        {"threads", "workers"},
    };
    std::string letters;
    for (const unsigned char letter : name)
    {
        if (std::isalpha(letter))
        {
            letters += static_cast<char>(std::tolower(letter));
        }
    }
    const auto found = OPTIONS.find(letters);
    return found == OPTIONS.end() ? "" : found->second;
}

Codec<Deadline>
RoundDeadline()
{
    const std::string accepted = "auto, none, or a time > 0 such as 200ms";
    const auto parse = [accepted](const std::string& name, const std::string& text) -> Deadline {
        if (text == "auto" || text == "none")
        {
            return {text == "none" ? Deadline::Kind::NONE : Deadline::Kind::AUTO, 0.0};
        }
        const double seconds = ParseSeconds(OptionTitle(name), text);
        DPDL_REFUSE_IF(seconds <= 0.0, OptionTitle(name), text, accepted);
        return {Deadline::Kind::TIME, seconds};
    };
    const auto show = [](const Deadline& deadline) -> std::string {
        return deadline.kind == Deadline::Kind::AUTO   ? "auto"
               : deadline.kind == Deadline::Kind::NONE ? "none"
                                                       : ShowNumber(deadline.seconds) + "s";
    };
    return {accepted, parse, show};
}

Codec<std::string>
CheckedText(const std::string& accepted,
            const std::function<void(const std::string& title, const std::string& text)>& check)
{
    return {accepted,
            [check](const std::string& name, const std::string& text) {
                check(OptionTitle(name), text);
                return text;
            },
            [](const std::string& text) { return text; }};
}

} // namespace dpdl
