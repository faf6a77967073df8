// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * The experiments of Dyn-D2P (Zhu et al., IJCAI 2025, arXiv:2505.06651), table by table.
 */

#include "paper-study.h"

int
main(int argc, char* argv[])
{
    PaperStudy paper("dyn-d2p", "tables and figures of Dyn-D2P");
    return paper.Main(argc, argv);
}
