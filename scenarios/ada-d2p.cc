// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * The experiments of AdaD2P (anonymous submission, predecessor of Dyn-D2P), figure by figure.
 */

#include "paper-study.h"

int
main(int argc, char* argv[])
{
    PaperStudy paper("ada-d2p", "figures of AdaD2P");
    return paper.Main(argc, argv);
}
