// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_NETWORK_KIND_H
#define DPDL_EXPERIMENT_NETWORK_KIND_H

#include "dpdl/base/registry.h"

namespace dpdl
{

/// Which network carries the shares.
enum class NetworkKind
{
    MESSAGE, ///< one event a message: serialisation, queue, latency, loss
    IDEAL,   ///< everything arrives, at once
    PACKET,  ///< datagrams or segments through ns-3's stack
};

/// All networks, by the name that option `network` and traces use.
const Registry<NetworkKind>& Networks();

/// Which sockets carry the shares in packet mode.
enum class TransportKind
{
    UDP,       ///< datagrams, one message after the other to each neighbour
    TCP,       ///< one connection for each directed link
    BROADCAST, ///< one transmission for all neighbours of a node
};

/// All transports, by the name that option `transport` and traces use.
const Registry<TransportKind>& Transports();

} // namespace dpdl

#endif // DPDL_EXPERIMENT_NETWORK_KIND_H
