// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/observation/observer.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/registry.h"
#include "dpdl/experiment/recorded-run.h"

#include <algorithm>
#include <numeric>
#include <sstream>

// Parses observers, reads the medium of a run, and determines which messages an observer sees.

namespace dpdl
{

namespace
{

const char* const WHAT = "option 'observer'";

NodeId
ParseNode(const std::string& text, std::size_t nodes)
{
    return static_cast<NodeId>(ParseInteger(WHAT, text, 0, nodes - 1));
}

Observer
ParseLink(const std::string& text, std::size_t nodes)
{
    const std::size_t arrow = text.find("->");
    DPDL_REFUSE_IF(arrow == std::string::npos, WHAT, "link:" + text, "link:SOURCE->TARGET");
    Observer observer;
    observer.kind = ObserverKind::LINK;
    observer.source = ParseNode(text.substr(0, arrow), nodes);
    observer.target = ParseNode(text.substr(arrow + 2), nodes);
    DPDL_REFUSE_IF(observer.source == observer.target,
                   WHAT,
                   "link:" + text,
                   "a link between two nodes");
    return observer;
}

Observer
ParseNodes(ObserverKind kind, const std::string& text, std::size_t nodes)
{
    Observer observer;
    observer.kind = kind;
    std::istringstream words(text + ",");
    for (std::string word; std::getline(words, word, ',');)
    {
        observer.nodes.push_back(ParseNode(word, nodes));
    }
    std::sort(observer.nodes.begin(), observer.nodes.end());
    const auto last = std::unique(observer.nodes.begin(), observer.nodes.end());
    observer.nodes.erase(last, observer.nodes.end());
    return observer;
}

} // namespace

bool
Observer::Sees(const Delivery& message) const
{
    if (kind == ObserverKind::LINK)
    {
        return message.source == source && message.target == target;
    }
    if (kind == ObserverKind::FINAL || !Owns(message.target))
    {
        return false;
    }
    const bool repaired = message.fate == DeliveryFate::LOST && message.usedInRound.has_value();
    return repaired ||
           (message.fate != DeliveryFate::LOST && message.fate != DeliveryFate::REFUNDED);
}

bool
Observer::Overhears(const Delivery& message, const Medium& medium) const
{
    const auto hears = [&](NodeId node) {
        return medium.isShared || medium.overheard.count({node, message.source}) > 0;
    };
    return kind == ObserverKind::LINK
               ? hears(source)
               : kind == ObserverKind::NODES && std::any_of(nodes.begin(), nodes.end(), hears);
}

bool
Observer::IsAt(NodeId node) const
{
    return kind == ObserverKind::LINK ? source == node
                                      : std::binary_search(nodes.begin(), nodes.end(), node);
}

bool
Observer::Owns(NodeId node) const
{
    return kind == ObserverKind::NODES && std::binary_search(nodes.begin(), nodes.end(), node);
}

Observer
ParseObserver(const std::string& text, std::size_t nodes)
{
    const std::size_t colon = text.find(':');
    const std::string name = text.substr(0, colon);
    const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
    if (name == "link")
    {
        return ParseLink(rest, nodes);
    }
    if (name == "nodes")
    {
        return ParseNodes(ObserverKind::NODES, rest, nodes);
    }
    if (name == "node" || (name == "final" && colon != std::string::npos))
    {
        Observer observer;
        observer.kind = name == "node" ? ObserverKind::NODES : ObserverKind::FINAL;
        observer.nodes = {ParseNode(rest, nodes)};
        return observer;
    }
    if (name == "final")
    {
        Observer observer;
        observer.nodes.resize(nodes);
        std::iota(observer.nodes.begin(), observer.nodes.end(), 0U);
        return observer;
    }
    throw UsageError(WHAT, text, "link:A->B, node:A, nodes:A,B,C, final or final:A");
}

std::string
Describe(const Observer& observer, std::size_t nodes)
{
    if (observer.kind == ObserverKind::LINK)
    {
        return "an eavesdropper on the link from node " + std::to_string(observer.source) +
               " to node " + std::to_string(observer.target);
    }
    const bool final = observer.kind == ObserverKind::FINAL;
    if (final && observer.nodes.size() == nodes)
    {
        return "an observer who is given the final model of every node";
    }
    const std::string list = JoinNodes(observer.nodes);
    if (final)
    {
        return "an observer who is given the final model of node " + list;
    }
    return observer.nodes.size() == 1 ? "node " + list : "the nodes " + list + " together";
}

std::string
DescribeView(const Observer& observer, const Medium& medium)
{
    if (observer.kind == ObserverKind::FINAL)
    {
        return "final models, and no message";
    }
    if (medium.isShared)
    {
        return "all messages of the run, as frames of a shared medium";
    }
    const std::string who = observer.nodes.size() == 1 ? "it" : "them";
    if (observer.kind == ObserverKind::NODES)
    {
        return "messages addressed to " + who +
               (medium.overheard.empty() ? ""
                                         : ", and all of nodes for which " + who + " forwards");
    }
    return medium.overheard.empty() ? "messages handed to the link"
                                    : "all messages that the sending node sends or forwards";
}

Medium
ReadMedium(const RecordedRun& run)
{
    const std::string network = run.FindSetting("network").value_or("");
    const std::string fidelity = run.FindSetting("networkFidelity").value_or("");
    if (network == "ideal" || network == "message" ||
        fidelity == "packet: point-to-point links of the run's own")
    {
        return {};
    }
    const std::string heard = run.FindSetting("overheard").value_or("not recorded");
    const bool isPairs = heard.find_first_not_of("0123456789:,") == std::string::npos;
    DPDL_REFUSE_IF(heard != "all" && !isPairs,
                   "setting 'overheard' of trace '" + run.Path() + "'",
                   heard,
                   "all or pairs of nodes: who could hear a message is not known");
    Medium medium{heard == "all", {}};
    std::istringstream pairs(heard);
    char sign{};
    for (NodeId node = 0, source = 0; pairs >> node >> sign >> source; pairs >> sign)
    {
        medium.overheard.insert({node, source});
    }
    return medium;
}

} // namespace dpdl
