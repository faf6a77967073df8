// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_BUILT_IN_ALGORITHMS_H
#define DPDL_ALGORITHM_BUILT_IN_ALGORITHMS_H

#include "dpdl/algorithm/algorithms.h"

// Each function registers the algorithms of one file.

namespace dpdl
{

/// Registers a re-implementation of A(DP)2SGD that works in rounds.
void AddADp2Sgd(Registry<Algorithm>& registry);

/// Registers AdaD2P and the two algorithms with constant noise standard deviation to which its
/// paper compares it.
void AddAdaD2p(Registry<Algorithm>& registry);

/// Registers adp-vrsgp: gradient push whose noise multiplier decays stepwise.
void AddAdpVrsgp(Registry<Algorithm>& registry);

/// Registers the algorithms whose messages are compressed.
void AddCompressed(Registry<Algorithm>& registry);

/// Registers algorithms whose noise is correlated over nodes.
void AddNoiseOverNodes(Registry<Algorithm>& registry);

/// Registers algorithms whose noise is correlated over rounds.
void AddNoiseOverRounds(Registry<Algorithm>& registry);

/// Registers a private form of DFedSAM.
void AddDfedsam(Registry<Algorithm>& registry);

/// Registers dpps, partpsp-1, partpsp-2, sgpdp and pedfl (Zhou, Xue and Chen, arXiv:2602.11544).
void AddDpps(Registry<Algorithm>& registry);

/// Registers Dyn-D2P with arbitrary schedules.
void AddDynD2pGeneral(Registry<Algorithm>& registry);

/// Registers Dyn-D2P and the three algorithms to which its paper compares it.
void AddDynD2p(Registry<Algorithm>& registry);

/// Registers a substitute for FedAN, whose paper is not identified.
void AddFedAn(Registry<Algorithm>& registry);

/// Registers a re-implementation of Fed-CDP without its server.
void AddFedCdp(Registry<Algorithm>& registry);

/// Registers a re-implementation of FedDPA without its server.
void AddFedDpa(Registry<Algorithm>& registry);

/// Registers a re-implementation of MAPA without its server.
void AddMapa(Registry<Algorithm>& registry);

/// Registers private gradient push with momentum, the example of doc/adding-a-mechanism.md.
void AddMomentumD2p(Registry<Algorithm>& registry);

/// Registers fedavg, dp-fedavg and muffliato, which step only in the first round of a phase.
void AddPhased(Registry<Algorithm>& registry);

/// Registers porter: compressed gradient tracking.
void AddPorter(Registry<Algorithm>& registry);

/// Registers a re-implementation of PPSGD without its server.
void AddPpsgd(Registry<Algorithm>& registry);

/// Registers epidemic, divshare and ad-psgd, whose nodes send to random nodes.
void AddRandomTargets(Registry<Algorithm>& registry);

/// Registers isolated and central, the lower and upper references of decentralized learning.
void AddReferences(Registry<Algorithm>& registry);

/// Registers r-fast: gradient tracking that is robust to lost messages.
void AddRFast(Registry<Algorithm>& registry);

/// Registers overlap-sgp and d-psgd, whose messages travel while the nodes compute.
void AddSendFirst(Registry<Algorithm>& registry);

/// Registers stochastic gradient push without privacy.
void AddSgp(Registry<Algorithm>& registry);

} // namespace dpdl

#endif // DPDL_ALGORITHM_BUILT_IN_ALGORITHMS_H
