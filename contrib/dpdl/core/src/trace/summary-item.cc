// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/trace/summary-item.h"

namespace dpdl
{

const std::vector<SummaryItem>&
SummaryItems()
{
    static const std::vector<SummaryItem> ITEMS{
        {"state", "text", "complete if the run reached its end, else incomplete."},
        {"rounds", "rounds", "Rounds that every node has finished, those aside that have crashed."},
        {"nodes", "nodes", "Number of nodes."},
        {"parameters", "1", "Number of parameters of the model."},
        {"accuracy_mean",
         "fraction",
         "Mean over the nodes of the test accuracy after the last evaluated round."},
        {"accuracy_worst", "fraction", "Lowest test accuracy of any node after that round."},
        {"accuracy_of_mean_model",
         "fraction",
         "Test accuracy of the one model whose parameters are the mean over the nodes."},
        {"loss_mean", "nats", "Mean over the nodes of the mean cross-entropy on the test set."},
        {"consensus_distance",
         "1",
         "How far the nodes' parameters are from their mean after the last evaluated round."},
        {"epsilon_claimed",
         "1",
         "Largest epsilon of any node by the formula of the algorithm's own paper."},
        {"epsilon_certified",
         "1",
         "Upper bound on the epsilon of every node for what was really released, under the "
         "assumptions of doc/privacy.md; Inf if nothing can be proven."},
        {"epsilon_observed",
         "1",
         "Largest lower bound on epsilon that an audit has shown; NULL if no audit ran."},
        {"delta", "1", "The delta to which the three epsilons belong."},
        {"nodes_stopped",
         "nodes",
         "Nodes that stopped learning because one more release would have exceeded stopAt."},
        {"messages_sent", "messages", "Messages handed to the network, duplicates not counted."},
        {"messages_delivered", "messages", "Messages that arrived intact, in time or late."},
        {"messages_lost", "messages", "Messages that did not arrive intact."},
        {"messages_corrupt", "messages", "Of the lost ones, those that arrived damaged."},
        {"messages_duplicate",
         "messages",
         "Further copies of messages that had arrived before; they were thrown away."},
        {"bytes_sent", "bytes", "Size on the wire of all messages sent."},
        {"bytes_repair",
         "bytes",
         "Size on the wire of acknowledgements and of messages that were sent again."},
        {"bytes_announced",
         "bytes",
         "Size on the wire of the sensitivities that nodes announced (DPPS), first copies only."},
        {"socket_bytes",
         "bytes",
         "Bytes handed to sockets in packet mode: messages and fragment headers, what TCP sends "
         "again once, without headers of lower layers; NULL in other modes."},
        {"packets_corrupt",
         "packets",
         "Packets that sockets gave in packet mode and that were no part of a message; NULL in "
         "other modes."},
        {"frames_sent",
         "frames",
         "Frames that radios sent, repeats and acknowledgements included; NULL where nobody "
         "counted "
         "them."},
        {"frames_given_up",
         "frames",
         "Frames that radios gave up, after repeats without an acknowledgement or on a busy "
         "channel."},
        {"fragments_sent",
         "frames",
         "Frames that 6LoWPAN cut the datagrams into, each counted once."},
        {"energy_total", "J", "Energy that all radios took; NULL where nobody measured it."},
        {"energy_worst", "J", "Most energy that the radio of one node took."},
        {"mass_error",
         "1",
         "Largest absolute deviation of the total push-sum weight from the number of nodes."},
        {"q_bound", "1 per round", "The papers' upper bound on the contraction per round."},
        {"q_designed",
         "1 per round",
         "Measured contraction of disagreement per round had no message been lost, geometric "
         "mean over the run."},
        {"q_realised",
         "1 per round",
         "Measured contraction of disagreement per round of what was really mixed, geometric "
         "mean over the run."},
        {"q_long_run",
         "1 per round",
         "Factor by which disagreement really shrank in a round in the long run, over the second "
         "half of the rounds."},
        {"one_minus_q_bound",
         "1 per round",
         "1 - q_bound with full precision, where q_bound rounds to 1."},
        {"window_b",
         "rounds",
         "Rounds whose links together connect all nodes, whichever round they begin with: B of the "
         "papers' bound; NULL if there is no such number."},
        {"diameter",
         "links",
         "Most links between two nodes in the union of window_b rounds: Delta of the papers' "
         "bound."},
        {"effective_nodes",
         "nodes",
         "Nodes that count in what everybody ends with: 1 / sum of the squared influences."},
        {"largest_influence",
         "1",
         "Influence of the node that counts most in what everybody ends with, times the number of "
         "nodes."},
        {"w_min",
         "1",
         "Smallest push-sum weight of any node after any round, divided by the nodes' mean weight "
         "then."},
        {"w_max",
         "1",
         "Largest push-sum weight of any node after any round, divided by the nodes' mean weight "
         "then."},
        {"simulated_seconds", "s", "Simulated time from the start to the end of the run."},
        {"wall_seconds", "s", "Real time that the run took."},
        {"wall_setup", "s", "Part of wall_seconds spent before the first round."},
        {"wall_compute", "s", "Part of wall_seconds spent in the nodes' local steps."},
        {"wall_mixing", "s", "Part of wall_seconds spent in mixing parameters."},
        {"wall_evaluation", "s", "Part of wall_seconds spent in testing the models."},
        {"wall_simulator", "s", "Part of wall_seconds spent in the network simulation."},
        {"wall_privacy", "s", "Part of wall_seconds spent in privacy accounting."},
        {"wall_trace", "s", "Part of wall_seconds spent in writing this file."},
    };
    return ITEMS;
}

} // namespace dpdl
