// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/accounting/account-answer.h"
#include "dpdl/base/json.h"
#include "dpdl/base/quantity.h"

#include <cmath>
#include <map>

// Formats an answer of `account` as a table with explanations, or as JSON.

namespace dpdl
{

namespace
{

std::string
JsonTexts(const std::vector<std::string>& texts)
{
    std::string list;
    for (const std::string& text : texts)
    {
        list += (list.empty() ? "" : ", ") + JsonText(text);
    }
    return "[" + list + "]";
}

std::string
ToString(Mode mode)
{
    return mode == Mode::PAPER ? "paper" : "sound";
}

/// epsilon if it is certified, else infinity.
double
CertifiedEpsilon(const AccountAnswer& answer)
{
    return answer.certified ? answer.guarantee.epsilon : INFINITY;
}

/// Reason for a missing certificate; "" if epsilon is certified.
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

/// The JSON object "schedule".
std::string
JsonSchedule(const AccountAnswer& answer)
{
    std::string text = "{\"algorithm\": " + JsonText(answer.claim->Info().name) +
                       ", \"mode\": " + JsonText(ToString(answer.mode)) +
                       ", \"rounds\": " + std::to_string(answer.rounds) +
                       ", \"localSamples\": " + std::to_string(answer.localSamples);
    for (const auto& [name, value] : answer.run->schedule)
    {
        text += ", " + JsonText(name) + ": " + JsonNumber(value);
    }
    std::vector<std::string> assumptions;
    for (const Premise& assumption : answer.claim->Assumptions())
    {
        assumptions.push_back(assumption.name);
    }
    return text + ", \"formula\": " + JsonText(answer.claim->Formula()) +
           ", \"assumptions\": " + JsonTexts(assumptions) +
           ", \"flags\": " + JsonText(ToString(answer.run->flags)) + "}";
}

/// Formats lines of name, number and meaning in columns.
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

/// Meaning of a value of a planned schedule.
std::string
MeaningOfFigure(const std::string& name)
{
    static const std::map<std::string, std::string> MEANINGS{
        {"rate", "probability that one example is in a batch"},
        {"claimed_rate", "the probability that the formula counts with"},
        {"noise_growth", "rho_mu: mu grows by this factor over the run"},
        {"mu_total", "mu of all rounds together, by the formula"},
        {"kappa", "how far the central limit is from being reached; below 0.02 is near"},
        {"mu_first", "sensitivity / noise of the first round"},
        {"mu_last", "sensitivity / noise of the last round"},
        {"noise_first", "noise / sensitivity of the first round"},
        {"noise_last", "noise / sensitivity of the last round"},
        {"noise", "noise / sensitivity of every round"},
        {"base_noise", "noise / sensitivity at alpha = 1"},
        {"c2", "the constant that the theorem leaves open"},
        {"tau", "rounds of a block of equal noise"},
        {"noise_power", "s of alpha(t) = (floor(t/tau) + 10)^s"},
        {"noise_rate", "gamma_n, by which the noise is multiplied"},
        {"b", "the paper's budget parameter"},
        {"epsilon_round", "claimed for one round"}};
    const auto found = MEANINGS.find(name);
    return found == MEANINGS.end() ? "" : found->second;
}

void
AddClaim(const AccountAnswer& answer, Table& table)
{
    const PartInfo info = answer.claim->Info();
    const ClaimedRun& run = *answer.run;
    table.Line("algorithm", info.name, info.source.empty() ? info.summary : info.source);
    table.Line("mode",
               ToString(answer.mode),
               answer.mode == Mode::PAPER ? "noise from the paper's formula"
                                          : "noise from the accountant");
    if (run.claimed)
    {
        table.Line("claimed", *run.claimed, "what the paper's formula says; not a guarantee");
    }
    else
    {
        table.Line("claimed", "unknown", "no formula was analysed");
    }
    table.Line("certified", CertifiedEpsilon(answer), "what is proven for the steps really taken");
    for (const auto& [name, value] : run.schedule)
    {
        table.Line("  " + name, value, MeaningOfFigure(name));
    }
    if (!answer.claim->Formula().empty())
    {
        table.Line("  formula", answer.claim->Formula(), "");
    }
    for (const Premise& assumption : answer.claim->Assumptions())
    {
        table.Line("  assumes", assumption.name, assumption.meaning);
    }
    const std::string flags = ToString(run.flags);
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
        text += ", \"claimed\": " + JsonNumber(answer.run->claimed) +
                ", \"certified_epsilon\": " + JsonNumber(CertifiedEpsilon(answer)) +
                ", \"reason\": " + (reason.empty() ? "null" : JsonText(reason)) +
                ", \"schedule\": " + JsonSchedule(answer);
    }
    return text + "}\n";
}

} // namespace dpdl
