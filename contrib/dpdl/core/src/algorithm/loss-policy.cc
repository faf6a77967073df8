// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/loss-policy.h"

#include <array>

namespace dpdl
{

namespace
{

/// Texts about a reason for lost messages.
struct ReasonText
{
    const char* cause;  ///< name of the reason in view `delivery`
    const char* remedy; ///< advice to the user for losing fewer messages
};

constexpr const char* REPEATING = "transport=tcp, or lossPolicy=reliable";
constexpr const char* NEARER = "shorter distances, a lower rate, fewer nodes that send at a time";

/// Texts of all drop reasons, in the order of DropReason.
constexpr std::array<ReasonText, 18> REASONS{{
    {"link", REPEATING},
    {"failure", "fewer or shorter failures, or lossPolicy=running-sum"},
    {"node down", "a longer deadline, or nodes that come back sooner"},
    {"queue disc", "a lower PacingRate of DpdlUdpTransport, or transport=tcp"},
    {"device queue", "a longer queue, a lower PacingRate of DpdlUdpTransport, or transport=tcp"},
    {"ARP", "a longer ns3::ArpCache::PendingQueueSize, or nodes that start at different times"},
    {"RLC", "a larger MaxTxBufferSize of the RLC, or a lower PacingRate of DpdlUdpTransport"},
    {"MAC", NEARER},
    {"PHY", NEARER},
    {"TTL", "routes without loops"},
    {"no route", "routes between all nodes, such as Ipv4GlobalRoutingHelper's"},
    {"receive gate", REPEATING},
    {"socket buffer", "a larger ns3::UdpSocket::RcvBufSize"},
    {"deadline", "a longer SilenceTimeout, or more Attempts or MaxAttempts of the transport"},
    {"damaged", "honest senders, or nodes and links that do not damage messages"},
    {"end of run", "a later Simulator::Stop"},
    {"late", "a longer SilenceTimeout"},
    {"newer round", "a higher dataRate, longer steps, or less to send in a round"},
}};

} // namespace

std::string
MessageLoss::Cause() const
{
    return REASONS.at(static_cast<std::size_t>(reason)).cause;
}

std::string
MessageLoss::Place() const
{
    const std::string where =
        node == NOWHERE ? "" : (isOutside ? "ns-3 node " : "node ") + std::to_string(node);
    return device == NOWHERE ? where : where + ", device " + std::to_string(device);
}

std::string
MessageLoss::Remedy() const
{
    return REASONS.at(static_cast<std::size_t>(reason)).remedy;
}

const Registry<LossPolicy>&
LossPolicies()
{
    static const auto registry =
        Registry<LossPolicy>("option 'lossPolicy'")
            .Add({"none",
                  "the mass of a lost share is gone",
                  "Assran et al., ICML 2019",
                  {{"assumes", "", "nothing; averages become biased, and w falls"},
                   {"costs", "", "no byte, no state"}}},
                 LossPolicy::NONE)
            .Add({"reliable",
                  "a share is sent again until it is acknowledged",
                  "retransmission as in Postel, RFC 793",
                  {{"assumes", "", "links that deliver in the end, and time to wait for them"},
                   {"costs",
                    "",
                    "an acknowledgement of 52 bytes for each arrival, a whole message for each "
                    "loss of either"}}},
                 LossPolicy::RELIABLE)
            .Add({"refund",
                  "the sender takes back the mass of a lost share",
                  "push-sum on what was really delivered; the oracle stands for acknowledgements",
                  {{"assumes",
                    "",
                    "an oracle: the sender learns of every loss, and never wrongly, a feedback "
                    "delay after it"},
                   {"costs",
                    "",
                    "nothing simulated; a real network would send a sign for each message and "
                    "could still not be sure of the last"}}},
                 LossPolicy::REFUND)
            .Add({"running-sum",
                  "the next message of a link brings what was lost on it",
                  "Spiridonoff, Olshevsky and Paschalidis, JMLR 2020",
                  {{"assumes", "", "links that deliver again one day"},
                   {"costs", "", "no byte; two sums of a model's size at each end of a link"}}},
                 LossPolicy::RUNNING_SUM)
            .Add({"renormalise",
                  "every node weighs what it heard and kept anew, to sum 1",
                  "as in Ye, Liang and Li, 2021 (Soft-DSGD)",
                  {{"assumes", "", "undirected, equal weights and equal losses; else biased"},
                   {"costs", "", "no byte; 12 bytes less would do, as w is not needed"}}},
                 LossPolicy::RENORMALISE);
    return registry;
}

} // namespace dpdl
