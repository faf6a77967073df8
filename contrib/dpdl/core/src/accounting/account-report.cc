// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/accounting/account-answer.h"
#include "dpdl/algorithm/algorithms.h"
#include "dpdl/base/json.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/registry.h"

#include <cmath>
#include <map>

// Formats an answer of `account` as a table with explanations, or as JSON.

namespace dpdl
{

namespace
{

/// Upper bound epsilon of the guarantee if it is certified; infinity if it is not.
double
CertifiedEpsilon(const AccountAnswer& answer)
{
    return answer.certified ? answer.guarantee.epsilon : INFINITY;
}

/// Reason why epsilon is not certified; "" if epsilon is certified.
std::string
Reason(const AccountAnswer& answer)
{
    if (answer.certified)
    {
        return "";
    }
    return answer.guarantee.reason.empty() ? "the accountant '" + answer.guarantee.accountant +
                                                 "' gives a value and no proven bound"
                                           : answer.guarantee.reason;
}

/// Value of "schedule" in the JSON output: an object with the algorithm's settings.
std::string
JsonSchedule(const PlannedClaim& claim)
{
    const ClaimSettings& settings = claim.settings;
    std::string text = "{\"algorithm\": " + JsonText(settings.algorithm) +
                       ", \"mode\": " + JsonText(ToString(settings.mode)) +
                       ", \"rounds\": " + std::to_string(settings.rounds) +
                       ", \"localSamples\": " + std::to_string(settings.localSamples);
    for (const auto& [name, value] : claim.schedule)
    {
        text += ", " + JsonText(name) + ": " + JsonNumber(value);
    }
    return text + ", \"formula\": " + JsonText(claim.formula) +
           ", \"assumptions\": " + JsonTexts(NamesIn(claim.assumptions)) +
           ", \"flags\": " + JsonText(ToString(claim.flags)) + "}";
}

/// Prints lines of name, number and meaning in aligned columns.
class Table
{
  public:
    void Line(const std::string& name, const std::string& value, const std::string& meaning)
    {
        m_text += Padded(name, 20) + Padded(value, 18) + meaning + "\n";
    }

    void Line(const std::string& name, double value, const std::string& meaning)
    {
        Line(name, ShowRounded(value, 10), meaning);
    }

    const std::string& Text() const
    {
        return m_text;
    }

  private:
    static std::string Padded(const std::string& text, std::size_t width)
    {
        return text + std::string(text.size() < width ? width - text.size() : 1, ' ');
    }

    std::string m_text;
};

std::string
MeaningOfEpsilon(const AccountAnswer& answer)
{
    if (answer.certified)
    {
        return "certified: a proven upper bound at this delta";
    }
    if (std::isinf(answer.guarantee.epsilon))
    {
        return "no guarantee: " + Reason(answer);
    }
    return answer.direction == Direction::BOTH
               ? "not certified: the accountant gives a value, not a bound"
               : "not certified: one direction alone";
}

void
AddEpsilon(const AccountAnswer& answer, Table& table)
{
    const Guarantee& guarantee = answer.guarantee;
    table.Line("epsilon", guarantee.epsilon, MeaningOfEpsilon(answer));
    if (guarantee.lower > 0.0)
    {
        table.Line("lower",
                   guarantee.lower,
                   "the exact value for these steps is not below this (an estimate)");
    }
    if (std::isfinite(guarantee.epsilon))
    {
        table.Line("error", guarantee.error, "how much of epsilon is numerical slack");
    }
    table.Line("delta", guarantee.delta, "as asked for");
    static const std::map<std::string, std::string> MEANINGS{
        {"remove", "epsilon if the data hold the example; the larger of the two counts"},
        {"add", "epsilon if the data lack the example"},
        {"rdp", "the same by Renyi DP: a bound as well, mostly larger"}};
    for (const auto& [name, value] : answer.comparisons)
    {
        table.Line(name, value, MEANINGS.at(name));
    }
    table.Line("accountant", guarantee.accountant, "what computed epsilon");
    table.Line("adjacency",
               guarantee.adjacency,
               guarantee.adjacency == "replace" ? "neighbours: one example has another value"
                                                : "neighbours: one holds one example more");
    table.Line("sampler", answer.sampler, "how the batches are drawn");
}

/// Explains one number of a planned schedule.
/// @param name name of the number in the answer
std::string
MeaningOfFigure(const std::string& algorithm, const std::string& name)
{
    static const std::map<std::string, std::string> MEANINGS{
        {"rate", "probability that one example is in a batch"},
        {"claimed_rate", "the probability that the formula counts with"},
        {"kappa", "how far the central limit is from being reached; below 0.02 is near"},
        {"noise_first", "noise / sensitivity of the first round"},
        {"noise_last", "noise / sensitivity of the last round"}};
    for (const ParameterInfo& parameter : ClaimParameters(algorithm))
    {
        if (parameter.name == name)
        {
            return parameter.meaning;
        }
    }
    return MEANINGS.at(name);
}

void
AddClaim(const AccountAnswer& answer, Table& table)
{
    const PlannedClaim& claim = *answer.claim;
    const ClaimSettings& settings = claim.settings;
    const PartInfo info = Algorithms().Info(settings.algorithm);
    table.Line("algorithm", info.name, info.source.empty() ? info.summary : info.source);
    table.Line("mode",
               ToString(settings.mode),
               settings.mode == Mode::PAPER ? "noise from the paper's formula"
                                            : "noise from the accountant");
    table.Line("claimed", claim.claimed, "what the paper's formula says; not a guarantee");
    table.Line("certified", CertifiedEpsilon(answer), "what is proven for the steps really taken");
    for (const auto& [name, value] : claim.schedule)
    {
        table.Line("  " + name, value, MeaningOfFigure(settings.algorithm, name));
    }
    if (!claim.formula.empty())
    {
        table.Line("  formula", claim.formula, "");
    }
    for (const ClaimAssumption& assumption : claim.assumptions)
    {
        table.Line("  assumes", assumption.name, assumption.meaning);
    }
    const std::string flags = ToString(claim.flags);
    if (!flags.empty())
    {
        table.Line("  flags", flags, "of the releases");
    }
}

} // namespace

std::string
AccountAsTable(const AccountAnswer& answer)
{
    Table table;
    if (answer.noise)
    {
        table.Line("noise", *answer.noise, "noise / sensitivity that meets the target");
    }
    if (answer.claim)
    {
        AddClaim(answer, table);
    }
    AddEpsilon(answer, table);
    return table.Text();
}

std::string
AccountAsJson(const AccountAnswer& answer)
{
    const Guarantee& guarantee = answer.guarantee;
    std::string text = "{\"epsilon\": " + JsonNumber(guarantee.epsilon) +
                       ", \"delta\": " + JsonNumber(guarantee.delta) +
                       ", \"accountant\": " + JsonText(guarantee.accountant) +
                       ", \"certified\": " + (answer.certified ? "true" : "false") +
                       ", \"lower\": " + JsonNumber(guarantee.lower) +
                       ", \"error\": " + JsonNumber(guarantee.error) +
                       ", \"adjacency\": " + JsonText(guarantee.adjacency) +
                       ", \"sampler\": " + JsonText(answer.sampler) +
                       ", \"warnings\": " + JsonTexts(answer.warnings);
    if (answer.noise)
    {
        text += ", \"noise\": " + JsonNumber(*answer.noise);
    }
    if (answer.claim)
    {
        const std::string reason = Reason(answer);
        text += ", \"claimed\": " + JsonNumber(answer.claim->claimed) +
                ", \"certified_epsilon\": " + JsonNumber(CertifiedEpsilon(answer)) +
                ", \"reason\": " + (reason.empty() ? "null" : JsonText(reason)) +
                ", \"schedule\": " + JsonSchedule(*answer.claim);
    }
    return text + "}\n";
}

} // namespace dpdl
