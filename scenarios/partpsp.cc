// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * The experiments of DPPS and PartPSP (Zhou, Xue and Chen, arXiv:2602.11544), table by table.
 */

#include "paper-study.h"

int
main(int argc, char* argv[])
{
    PaperStudy paper("partpsp", "tables and figures of DPPS and PartPSP");
    return paper.Main(argc, argv);
}
