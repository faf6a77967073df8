// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/observation/message-flow.h"

#include "dpdl/base/errors.h"

#include <algorithm>
#include <cmath>
#include <string>

// Computes each state z that a node sends as a linear combination of the nodes' private inputs,
// round by round.

namespace dpdl
{

namespace
{

/// The weights of a node's messages in a round sum to at most 1, plus this amount for rounding
/// errors.
constexpr double FLOW_ROUNDING = 1e-9;

[[noreturn]] void
ThrowImpossible(NodeId node, Round round, const std::string& expected)
{
    throw UsageError("deliveries of node " + std::to_string(node) + " in round " +
                     std::to_string(round) + " cannot have happened; expected " + expected);
}

} // namespace

MessageFlow::MessageFlow(const FlowSettings& settings)
    : m_nodes(settings.nodes),
      m_given(settings.nodes * settings.rounds, 0.0),
      m_used(settings.nodes * settings.rounds),
      m_sent(settings.nodes * settings.rounds),
      m_mass(settings.nodes * settings.rounds),
      m_weight(settings.nodes, ScaledDouble(1.0))
{
    SortDeliveries(settings);
    AssignColumns(settings);
    m_state.resize(m_nodes);
    for (Round round = 0; round < settings.rounds; ++round)
    {
        Step(settings, round);
        Mix(settings, round);
    }
}

void
MessageFlow::SortDeliveries(const FlowSettings& settings)
{
    for (const Delivery& row : *settings.deliveries)
    {
        if (row.fate == DeliveryFate::DUPLICATE || row.round >= settings.rounds)
        {
            continue;
        }
        const std::size_t sent = Index(row.source, row.round);
        m_given[sent] += row.weight;
        if (m_given[sent] > 1.0 + FLOW_ROUNDING)
        {
            ThrowImpossible(row.source, row.round, "shares of one whole");
        }
        if (!row.usedInRound.has_value() || *row.usedInRound >= settings.rounds)
        {
            continue;
        }
        if (*row.usedInRound < row.round)
        {
            ThrowImpossible(row.source, row.round, "mass to be used after it was sent");
        }
        const bool isBack = row.fate == DeliveryFate::REFUNDED ||
                            (row.fate == DeliveryFate::CORRUPT && settings.refunds);
        const NodeId user = isBack ? row.source : row.target;
        m_used[Index(user, *row.usedInRound)].push_back({sent, row.weight});
    }
}

void
MessageFlow::AssignColumns(const FlowSettings& settings)
{
    m_columnOf.assign(m_sent.size(), NONE);
    for (Round round = 0; round < settings.rounds; ++round)
    {
        for (NodeId node = 0; node < m_nodes; ++node)
        {
            if (settings.noise[Index(node, round)] > 0.0)
            {
                m_columnOf[Index(node, round)] = m_columns++;
            }
        }
        m_reach.push_back(m_columns);
    }
}

void
MessageFlow::Step(const FlowSettings& settings, Round round)
{
    for (NodeId node = 0; node < m_nodes; ++node)
    {
        const std::size_t index = Index(node, round);
        m_mass[index] = m_weight[node];
        m_sent[index] = std::move(m_state[node]);
        m_sent[index].resize(m_reach[round], 0.0);
        if (m_columnOf[index] == NONE)
        {
            continue;
        }
        const double step = settings.byWeight ? 1.0 : ScaledDouble(1.0) / m_weight[node];
        double& coefficient = m_sent[index][m_columnOf[index]];
        coefficient = step * settings.noise[index];
        if (!std::isfinite(coefficient))
        {
            ThrowImpossible(node, round, "a push-sum weight in the range of a double");
        }
    }
}

void
MessageFlow::AddPart(Row& sum, const Row& state, double part)
{
    sum.resize(std::max(sum.size(), state.size()), 0.0);
    for (std::size_t column = 0; column < state.size(); ++column)
    {
        sum[column] += part * state[column];
    }
}

void
MessageFlow::Mix(const FlowSettings& settings, Round round)
{
    for (NodeId node = 0; node < m_nodes; ++node)
    {
        const std::size_t index = Index(node, round);
        std::vector<Term> terms = m_used[index];
        terms.push_back({index, std::max(0.0, 1.0 - m_given[index])});
        ScaledDouble total;
        for (const Term& term : terms)
        {
            total += m_mass[term.sent] * term.weight;
        }
        if (total.IsZero())
        {
            ThrowImpossible(node, round, "mass that is kept or heard");
        }
        Row mixed(m_reach[round], 0.0);
        for (const Term& term : terms)
        {
            AddPart(mixed, m_sent[term.sent], m_mass[term.sent] * term.weight / total);
        }
        if (settings.momentum != 1.0 && round > 0 && !settings.stepped[index])
        {
            const Row& last = m_sent[index - m_nodes];
            for (std::size_t column = 0; column < mixed.size(); ++column)
            {
                mixed[column] *= settings.momentum;
                mixed[column] +=
                    column < last.size() ? (1.0 - settings.momentum) * last[column] : 0.0;
            }
        }
        m_state[node] = std::move(mixed);
        m_weight[node] = settings.renormalises ? ScaledDouble(1.0) : total;
    }
}

} // namespace dpdl
