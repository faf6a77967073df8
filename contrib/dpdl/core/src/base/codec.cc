// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/codec.h"

#include "dpdl/base/noise-source.h"

namespace dpdl
{

std::string
OptionTitle(const std::string& name)
{
    return "option '" + name + "'";
}

Codec<std::string>
AnyText(const std::string& accepted)
{
    return {accepted,
            [](const std::string& /* name */, const std::string& text) { return text; },
            [](const std::string& value) { return value; }};
}

Codec<std::string>
SomeText(const std::string& accepted)
{
    Codec<std::string> codec = AnyText(accepted);
    codec.parse = [accepted](const std::string& name, const std::string& text) {
        DPDL_REFUSE_IF(text.empty(), OptionTitle(name), text, accepted);
        return text;
    };
    return codec;
}

Codec<bool>
Flag()
{
    const Codec<bool> words = OneOf<bool>({{"true", true}, {"false", false}}, true);
    return {"no value",
            [words](const std::string& name, const std::string& text) {
                return text.empty() || words.parse(name, text);
            },
            words.show,
            true};
}

Codec<double>
Number(const std::string& accepted, std::function<bool(double)> fits)
{
    return {accepted,
            [=](const std::string& name, const std::string& text) {
                return ParseNumber(OptionTitle(name), text, accepted, fits);
            },
            ShowNumber};
}

Codec<double>
PositiveNumber()
{
    return Number("a finite number > 0", [](double value) { return value > 0.0; });
}

Codec<double>
InsideUnit()
{
    return Number("a number in (0, 1)", [](double value) { return value > 0.0 && value < 1.0; });
}

Codec<double>
Delta()
{
    return Number("a number in (0, 1), of " + ShowNumber(LEAST_DELTA) + " at least",
                  [](double value) { return value >= LEAST_DELTA && value < 1.0; });
}

Codec<double>
Quantity(const std::string& accepted,
         double (*parse)(const std::string& what, const std::string& text),
         const std::string& unit)
{
    return {accepted,
            [parse](const std::string& name, const std::string& text) {
                return parse(OptionTitle(name), text);
            },
            [unit](double value) { return ShowNumber(value) + unit; }};
}

} // namespace dpdl
