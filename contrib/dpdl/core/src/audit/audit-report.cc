// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/audit-answer.h"
#include "dpdl/base/json.h"
#include "dpdl/base/quantity.h"

#include <cmath>
#include <sstream>

namespace dpdl
{

namespace
{

constexpr std::size_t NAME_WIDTH = 20;

std::string
Rounded(double value)
{
    return ShowRounded(value, 6);
}

std::string
Line(const std::string& name, const std::string& text)
{
    return name + std::string(NAME_WIDTH - std::min(NAME_WIDTH - 1, name.size()), ' ') + text +
           "\n";
}

std::string
Confidence(double confidence)
{
    if (std::isnan(confidence))
    {
        return "of unknown confidence";
    }
    return confidence >= 1.0 ? "derived" : Rounded(100.0 * confidence) + " % confidence";
}

} // namespace

std::string
AuditAsTable(const AuditAnswer& answer)
{
    const Verdict::Figures& figures = answer.figures;
    std::string table = Line("audited", answer.name) + Line("game", answer.game);
    table +=
        Line("claimed epsilon", std::isnan(figures.claimed) ? "none" : Rounded(figures.claimed));
    table += Line("certified epsilon",
                  Rounded(figures.certified) +
                      (answer.adjacency.empty() ? "" : " (" + answer.adjacency + ")") +
                      (answer.reason.empty() ? "" : ": " + answer.reason));
    table +=
        Line("observed epsilon",
             "at least " + Rounded(figures.observed) + " (" + Confidence(figures.confidence) + ")");
    if (answer.strongest)
    {
        table += Line("largest observed",
                      "at least " + Rounded(answer.strongest->observed) + " (" +
                          Confidence(answer.strongest->confidence) +
                          "), by an audit that was made before");
    }
    if (answer.mu)
    {
        std::string text = "at least " + Rounded(*answer.mu) + " (" +
                           Confidence(figures.confidence) + "; for claims of Gaussian DP only";
        text += answer.claimedMu ? ", here " + Rounded(*answer.claimedMu) + ")" : ")";
        table += Line("observed mu", text);
    }
    table += Line("delta", Rounded(answer.delta));
    table += Line("runs", std::to_string(answer.runs));
    for (const auto& [name, value] : answer.evidence)
    {
        table += Line(name, Rounded(value));
    }
    for (const std::string& note : answer.notes)
    {
        table += Line("note", note);
    }
    return table + Line("verdict", answer.Judge().Event());
}

std::string
AuditAsJson(const AuditAnswer& answer)
{
    const Verdict::Figures& figures = answer.figures;
    const Verdict verdict = answer.Judge();
    std::ostringstream out;
    out << "{\"claimed\": " << JsonNumber(figures.claimed)
        << ", \"certified\": " << JsonNumber(figures.certified)
        << ", \"observed\": " << JsonNumber(figures.observed)
        << ", \"confidence\": " << JsonNumber(figures.confidence)
        << ", \"observed_largest\": " << JsonNumber(verdict.Get().observed)
        << ", \"mu_observed\": " << JsonNumber(answer.mu)
        << ", \"mu_claimed\": " << JsonNumber(answer.claimedMu)
        << ", \"delta\": " << JsonNumber(answer.delta) << ", \"runs\": " << answer.runs
        << ", \"game\": " << JsonText(answer.game) << ", \"audited\": " << JsonText(answer.name)
        << ", \"adjacency\": " << (answer.adjacency.empty() ? "null" : JsonText(answer.adjacency))
        << ", \"reason\": " << (answer.reason.empty() ? "null" : JsonText(answer.reason))
        << ", \"finding\": " << JsonText(ToString(verdict.Finding()))
        << ", \"verdict\": " << JsonText(verdict.Event()) << ", \"evidence\": {";
    const char* separator = "";
    for (const auto& [name, value] : answer.evidence)
    {
        out << separator << JsonText(name) << ": " << JsonNumber(value);
        separator = ", ";
    }
    out << "}, \"notes\": " << JsonTexts(answer.notes) << "}\n";
    return out.str();
}

} // namespace dpdl
