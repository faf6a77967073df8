// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_NETWORK_KIND_H
#define DPDL_EXPERIMENT_NETWORK_KIND_H

#include "dpdl/base/registry.h"

namespace dpdl
{

/// Network that carries the shares.
enum class NetworkKind
{
    MESSAGE, ///< one event per message: serialization, queue, latency, loss
    IDEAL,   ///< every message arrives immediately
    PACKET,  ///< datagrams or segments through ns-3's stack
};

/// All networks, by their name in option `network` and traces.
const Registry<NetworkKind>& Networks();

/// Sockets that carry the shares in packet mode.
enum class TransportKind
{
    UDP,       ///< datagrams, one message after another to each neighbour
    TCP,       ///< one connection for each directed link
    BROADCAST, ///< one transmission for all neighbours of a node
};

/// All transports, by their name in option `transport` and traces.
const Registry<TransportKind>& Transports();

} // namespace dpdl

#endif // DPDL_EXPERIMENT_NETWORK_KIND_H
