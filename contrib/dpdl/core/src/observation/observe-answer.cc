// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "observe-answer.h"

#include "dpdl/base/json.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/registry.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <map>

// Recomputes guarantees from ledgers. Prints guarantees, certificates and the unproven bounds of
// NetworkObserver ("what-if") as text or JSON.

namespace dpdl
{

namespace
{

/// Largest relative difference at which two epsilons count as equal.
constexpr double SAME = 1e-9;

/// Name of the unproven statement on which the bounds of NetworkObserver rely.
const char* const WHAT_IF = "general-gossip";

/// Formats a number with four significant digits. NaN, an unknown number, becomes `-`.
std::string
Short(double value)
{
    return std::isnan(value) ? "-" : ShowRounded(value, 4);
}

/// Prints rows of cells in right-aligned columns. The first row has the column heads.
void
PrintTable(const std::vector<std::vector<std::string>>& rows, std::ostream& out)
{
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const std::vector<std::string>& row : rows)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    for (const std::vector<std::string>& row : rows)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            out << (i == 0 ? "" : "  ") << std::setw(static_cast<int>(widths[i])) << row[i];
        }
        out << "\n";
    }
}

/// Prints every different reason for an infinite epsilon once. Empty reasons are skipped.
void
PrintReasons(const std::vector<std::string>& reasons, std::ostream& out)
{
    std::vector<std::string> known;
    for (const std::string& reason : reasons)
    {
        if (!reason.empty() && std::find(known.begin(), known.end(), reason) == known.end())
        {
            known.push_back(reason);
            out << "inf: " << reason << "\n";
        }
    }
}

/// True if the accountant gives certified guarantees and all epsilons of the answer are finite.
bool
IsProven(const LocalAnswer& answer)
{
    return Accountants().Get(answer.accountant)->Certified() &&
           std::all_of(answer.guarantees.begin(), answer.guarantees.end(), [](const Guarantee& g) {
               return std::isfinite(g.epsilon);
           });
}

/// Phrase for the status of an answer's epsilons (certified, claimed, ...), for text and JSON.
std::string
StandingOf(const RecordedRun& run, const LocalAnswer& answer)
{
    const std::string committed = " of the releases that were committed";
    if (IsProven(answer))
    {
        return run.Complete() ? "certified" : "certified" + committed + ", not of the run";
    }
    const std::string standing = Accountants().Get(answer.accountant)->Certified()
                                     ? "not certified at every node"
                                     : "a claim only";
    return run.Complete() ? standing : standing + "," + committed;
}

/// Guarantee of a node that the run wrote to the trace. The epsilons of the result are NaN if the
/// trace has no guarantee.
GuaranteeByNode
WrittenFor(const RecordedRun& run, NodeId node)
{
    GuaranteeByNode unknown;
    unknown.claimed = std::nan("");
    unknown.certified = std::nan("");
    return run.Guarantees().empty() ? unknown : run.Guarantees()[node];
}

std::string
VerdictOf(const RecordedRun& run, const LocalAnswer& answer)
{
    if (!run.Complete())
    {
        return "The run has not reached its end: releases after its last commit are missing here.";
    }
    if (answer.delta != run.Delta())
    {
        return "The trace's own values are for delta = " + ShowNumber(run.Delta()) + ".";
    }
    std::size_t differing = 0;
    for (std::size_t i = 0; i < answer.nodes.size(); ++i)
    {
        const double written = WrittenFor(run, answer.nodes[i]).certified;
        const double again = answer.guarantees[i].epsilon;
        const double largest = std::max(std::abs(written), std::abs(again));
        differing += written == again || std::abs(written - again) <= SAME * largest ? 0 : 1;
    }
    if (differing == 0)
    {
        return "The recomputed values are those of the trace.";
    }
    return "The recomputed values differ from those of the trace at " + std::to_string(differing) +
           " of " + std::to_string(answer.nodes.size()) +
           " nodes: another accountant, or more than the ledger is known to the run.";
}

std::string
JsonOf(const RecordedRun& run, const LocalAnswer& answer, std::size_t i)
{
    const NodeId node = answer.nodes[i];
    const Guarantee& guarantee = answer.guarantees[i];
    const GuaranteeByNode written = WrittenFor(run, node);
    return "{\"node\": " + std::to_string(node) +
           ", \"releases\": " + std::to_string(run.Releases(node).size()) +
           ", \"claimed\": " + JsonNumber(written.claimed) +
           ", \"certified_in_trace\": " + JsonNumber(written.certified) +
           ", \"observed\": " + JsonNumber(written.observed) +
           ", \"epsilon\": " + JsonNumber(guarantee.epsilon) +
           ", \"reason\": " + JsonText(guarantee.reason) + "}";
}

/// JSON of the certificate of the analysed node with index @p i in the answer; "null" if the answer
/// has no certificates.
std::string
JsonOfCertificate(const ObserverAnswer& answer, std::size_t i)
{
    if (answer.certificates.empty())
    {
        return "null";
    }
    const ObserverCertificate& proven = answer.certificates[i];
    return "{\"certified\": " +
           std::string(std::isfinite(proven.guarantee.epsilon) ? "true" : "false") +
           ", \"statement\": " + JsonText(proven.statement) +
           ", \"why\": " + JsonText(proven.reason) +
           ", \"releases\": " + std::to_string(proven.releases) +
           ", \"epsilon\": " + JsonNumber(proven.guarantee.epsilon) +
           ", \"reason\": " + JsonText(proven.guarantee.reason) + "}";
}

std::string
JsonOf(const TargetView& view, const Guarantee& local, const std::string& certificate)
{
    return "{\"victim\": " + std::to_string(view.target) +
           ", \"rounds_seen\": " + std::to_string(view.rounds) +
           ", \"mu\": " + JsonNumber(std::sqrt(view.muSquared)) +
           ", \"mu_unsampled\": " + JsonNumber(std::sqrt(view.localMuSquared)) +
           ", \"mu_squared_ratio\": " + JsonNumber(view.Ratio()) +
           ", \"mean_step\": " + JsonNumber(view.meanStep) +
           ", \"worst_step\": " + JsonNumber(view.worstStep) +
           ", \"worst_round\": " + std::to_string(view.worstRound) +
           ", \"mu_single_participation\": " + JsonNumber(std::sqrt(view.singleMuSquared)) +
           ", \"epsilon_what_if\": " + JsonNumber(view.epsilon) +
           ", \"epsilon_unsampled\": " + JsonNumber(view.localEpsilon) +
           ", \"epsilon_local\": " + JsonNumber(local.epsilon) +
           ", \"certificate\": " + certificate + ", \"reason\": " + JsonText(view.reason) + "}";
}

/// Prints a JSON list with one entry per line.
void
PrintList(const std::vector<std::string>& entries, std::ostream& out)
{
    out << "[" << (entries.empty() ? "" : "\n  ") << JoinNames(entries, ",\n  ") << "]";
}

void
PrintJson(const RecordedRun& run, const ObserverAnswer& answer, std::ostream& out)
{
    std::vector<std::string> entries;
    for (std::size_t i = 0; i < answer.views.size(); ++i)
    {
        entries.push_back(
            JsonOf(answer.views[i], answer.local.guarantees[i], JsonOfCertificate(answer, i)));
    }
    out << "{\"trace\": " << JsonText(run.Path()) << ", \"observer\": " << JsonText(answer.observer)
        << ", \"view\": " << JsonText(answer.view)
        << ", \"kind\": \"what-if\", \"statement\": " << JsonText(WHAT_IF)
        << ", \"certified\": false, \"delta\": " << JsonNumber(answer.local.delta)
        << ", \"accountant\": " << JsonText(answer.local.accountant)
        << ", \"standing_local\": " << JsonText(StandingOf(run, answer.local))
        << ", \"messages\": " << answer.messages << ", \"rank\": " << answer.rank
        << ", \"inputs\": " << answer.inputs
        << ", \"conditioning\": " << JsonNumber(answer.conditioning) << ", \"rounds\": ";
    if (answer.rounds.has_value())
    {
        out << "[" << answer.rounds->first << ", " << answer.rounds->second << "]";
    }
    else
    {
        out << "null";
    }
    out << ", \"victims\": ";
    PrintList(entries, out);
    out << "}\n";
}

/// Prints the certificates as a table. Must come before the table of unproven bounds, because only
/// certificates are proven.
void
PrintCertificates(const RecordedRun& run, const ObserverAnswer& answer, std::ostream& out)
{
    if (answer.certificates.empty())
    {
        out << run.Path() << ": nothing is certified for " << answer.observer << ": the accountant "
            << answer.local.accountant << " proves nothing\n"
            << "view: " << answer.view << "\n\n";
        return;
    }
    out << run.Path() << ": certified for " << answer.observer << ", whole run; accountant "
        << answer.local.accountant << "; delta " << ShowNumber(answer.local.delta) << "\n"
        << "view: " << answer.view << "\n\n";
    std::vector<std::vector<std::string>> rows{
        {"target", "releases that count", "certified eps", "statement"}};
    std::map<std::string, std::string> why;
    for (std::size_t i = 0; i < answer.views.size(); ++i)
    {
        const ObserverCertificate& proven = answer.certificates[i];
        why[proven.statement] = proven.reason;
        rows.push_back({std::to_string(answer.views[i].target),
                        std::to_string(proven.releases),
                        Short(proven.guarantee.epsilon),
                        proven.statement});
    }
    PrintTable(rows, out);
    out << "\n";
    for (const auto& [statement, reason] : why)
    {
        out << statement << ": " << reason << "\n";
    }
    out << "\n";
}

void
PrintHead(const RecordedRun& run, const ObserverAnswer& answer, std::ostream& out)
{
    out << run.Path() << ": what-if for " << answer.observer << "; nothing below is certified ("
        << WHAT_IF << ")\n";
    if (answer.rounds.has_value())
    {
        out << "only the steps of rounds " << answer.rounds->first << " to "
            << answer.rounds->second
            << ", by the messages of these rounds; later messages tell more\n";
    }
    out << "seen: " << answer.messages << " states, rank " << answer.rank << " of " << answer.inputs
        << " private inputs; delta " << ShowNumber(answer.local.delta) << "\n\n";
}

} // namespace

LocalAnswer
ComputeLocal(const RecordedRun& run,
             const std::vector<NodeId>& nodes,
             const std::string& accountant,
             double delta)
{
    LocalAnswer answer;
    answer.delta = delta;
    answer.accountant = accountant;
    answer.nodes = nodes;
    AccountingQuery question;
    question.delta = delta;
    question.adjacency = run.Neighbours();
    AccountantCache guarantees(Accountants().Get(accountant), question);
    for (const NodeId node : nodes)
    {
        answer.guarantees.push_back(guarantees.Of(run.Releases(node)));
    }
    return answer;
}

void
Print(const RecordedRun& run, const LocalAnswer& answer, bool json, std::ostream& out)
{
    std::vector<std::vector<std::string>> rows{
        {"node", "releases", "claimed", "certified in trace", "recomputed"}};
    std::vector<std::string> entries;
    std::vector<std::string> reasons;
    for (std::size_t i = 0; i < answer.nodes.size(); ++i)
    {
        const NodeId node = answer.nodes[i];
        const GuaranteeByNode written = WrittenFor(run, node);
        entries.push_back(JsonOf(run, answer, i));
        reasons.push_back(answer.guarantees[i].reason);
        rows.push_back({std::to_string(node),
                        std::to_string(run.Releases(node).size()),
                        Short(written.claimed),
                        Short(written.certified),
                        Short(answer.guarantees[i].epsilon)});
    }
    if (json)
    {
        out << "{\"trace\": " << JsonText(run.Path())
            << ", \"complete\": " << (run.Complete() ? "true" : "false")
            << ", \"delta\": " << JsonNumber(answer.delta)
            << ", \"adjacency\": " << JsonText(ToString(run.Neighbours()))
            << ", \"accountant\": " << JsonText(answer.accountant)
            << ", \"certified\": " << (run.Complete() && IsProven(answer) ? "true" : "false")
            << ", \"standing\": " << JsonText(StandingOf(run, answer)) << ", \"nodes\": ";
        PrintList(entries, out);
        out << "}\n";
        return;
    }
    out << run.Path() << ": epsilon of each node, from the ledger; accountant " << answer.accountant
        << ", " << StandingOf(run, answer) << "; delta " << ShowNumber(answer.delta) << "\n\n";
    PrintTable(rows, out);
    out << "\n" << VerdictOf(run, answer) << "\n";
    PrintReasons(reasons, out);
}

void
Print(const RecordedRun& run, const ObserverAnswer& answer, bool json, std::ostream& out)
{
    if (json)
    {
        PrintJson(run, answer, out);
        return;
    }
    PrintCertificates(run, answer, out);
    PrintHead(run, answer, out);
    std::vector<std::vector<std::string>> rows{{"target",
                                                "rounds seen",
                                                "mu^2 ratio",
                                                "mean step",
                                                "worst step",
                                                "its round",
                                                "what-if eps",
                                                "unsampled eps",
                                                "local eps"}};
    std::vector<std::string> reasons;
    for (std::size_t i = 0; i < answer.views.size(); ++i)
    {
        const TargetView& view = answer.views[i];
        reasons.push_back(view.reason);
        rows.push_back({std::to_string(view.target),
                        std::to_string(view.rounds),
                        Short(view.Ratio()),
                        Short(view.meanStep),
                        Short(view.worstStep),
                        std::to_string(view.worstRound),
                        Short(view.epsilon),
                        Short(view.localEpsilon),
                        Short(answer.local.guarantees[i].epsilon)});
    }
    PrintTable(rows, out);
    out << "\nlocal eps: of the whole run, as in its ledger; accountant " << answer.local.accountant
        << ", " << StandingOf(run, answer.local)
        << "\nwhat-if and unsampled eps: no amplification by sampling is in them; a what-if leaves "
           "out\nwhat other nodes' gradients pass on of a target's data\n";
    PrintReasons(reasons, out);
}

} // namespace dpdl
