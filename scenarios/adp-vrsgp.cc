// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * The experiments of ADP-VRSGP (Wu et al., IEEE IoT-J 2025, arXiv:2510.20157), table by table.
 */

#include "paper-study.h"

int
main(int argc, char* argv[])
{
    PaperStudy paper("adp-vrsgp", "tables and figures of ADP-VRSGP");
    return paper.Main(argc, argv);
}
