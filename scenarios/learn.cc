// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * One learning run with the common options, on a network that the options describe.
 */

#include "ns3/dpdl-scenario.h"

int
main(int argc, char* argv[])
{
    ns3::DpdlScenario scenario("learn", "one learning run over a simulated network");
    return scenario.Main(argc, argv);
}
