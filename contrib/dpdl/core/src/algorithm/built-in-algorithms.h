// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_BUILT_IN_ALGORITHMS_H
#define DPDL_ALGORITHM_BUILT_IN_ALGORITHMS_H

#include "dpdl/algorithm/algorithms.h"

// Each function enters the algorithms of one file into the registry.

namespace dpdl
{

/// Enters a re-implementation of A(DP)2SGD in rounds.
void AddADp2Sgd(Registry<Algorithm>& registry);

/// Enters AdaD2P and the two algorithms with fixed noise that its paper compares it with.
void AddAdaD2p(Registry<Algorithm>& registry);

/// Enters adp-vrsgp.
void AddAdpVrsgp(Registry<Algorithm>& registry);

/// Enters algorithms whose messages are compressed.
void AddCompressed(Registry<Algorithm>& registry);

/// Enters algorithms whose noise is correlated over nodes.
void AddNoiseOverNodes(Registry<Algorithm>& registry);

/// Enters algorithms whose noise is correlated over rounds.
void AddNoiseOverRounds(Registry<Algorithm>& registry);

/// Enters a private form of DFedSAM.
void AddDfedsam(Registry<Algorithm>& registry);

/// dpps, partpsp-1, partpsp-2, sgpdp and pedfl (Zhou, Xue and Chen, arXiv:2602.11544).
void AddDpps(Registry<Algorithm>& registry);

/// Enters Dyn-D2P with arbitrary schedules.
void AddDynD2pGeneral(Registry<Algorithm>& registry);

/// Enters Dyn-D2P and the three algorithms that its paper compares it with.
void AddDynD2p(Registry<Algorithm>& registry);

/// Enters a stand-in for FedAN, whose paper is not identified.
void AddFedAn(Registry<Algorithm>& registry);

/// Enters a re-implementation of Fed-CDP without its server.
void AddFedCdp(Registry<Algorithm>& registry);

/// Enters a re-implementation of FedDPA without its server.
void AddFedDpa(Registry<Algorithm>& registry);

/// Enters a re-implementation of MAPA without its server.
void AddMapa(Registry<Algorithm>& registry);

/// Enters private gradient push with momentum, the example of doc/adding-a-mechanism.md.
void AddMomentumD2p(Registry<Algorithm>& registry);

/// Enters fedavg, dp-fedavg and muffliato, which step in the first round of a phase alone.
void AddPhased(Registry<Algorithm>& registry);

/// Enters porter, whose nodes track the gradients of all by compressed differences.
void AddPorter(Registry<Algorithm>& registry);

/// Enters a re-implementation of PPSGD without its server.
void AddPpsgd(Registry<Algorithm>& registry);

/// Enters epidemic, divshare and ad-psgd, whose nodes send to random ones.
void AddRandomTargets(Registry<Algorithm>& registry);

/// Enters isolated and central, between which decentralized learning stands.
void AddReferences(Registry<Algorithm>& registry);

/// Enters r-fast, whose nodes track the gradients of all.
void AddRFast(Registry<Algorithm>& registry);

/// Enters overlap-sgp and d-psgd, whose messages travel while the nodes compute.
void AddSendFirst(Registry<Algorithm>& registry);

/// Enters stochastic gradient push, without any privacy.
void AddSgp(Registry<Algorithm>& registry);

} // namespace dpdl

#endif // DPDL_ALGORITHM_BUILT_IN_ALGORITHMS_H
