# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The seeded runs of the net: each family of algorithms, each transport, each policy for losses."""

# What runs and mistakes begin with, unless they have options of the same names.
COMMON = [
    "--dataset=blobs",
    "--model=softmax-regression",
    "--nodes=6",
    "--samples=300",
    "--testSamples=100",
    "--batchSize=16",
    "--rounds=8",
    "--evaluateEvery=3",
    "--snapshotEvery=3",
    "--workers=1",
    "--progress=none",
]

# Files that options of the runs name.
FILES = {
    "budgets.csv": "node,epsilon\n0,1\n1,2\n2,0.5\n3,4\n4,1\n5,1\n",
    "clips.csv": "round,clip,noise\n0,4,1\n3,2,0.7\n5,1,0.5\n",
    "failures.txt": "group far = {4,5}\nlink far->* delay 30ms at 20ms for 60ms\n"
    "link 0->1 gilbert-elliott p=0.3 r=0.4 bad=0.9\nnode 2 crash at 30ms recover 70ms\n"
    "node 3 crash with state at 20ms recover 50ms\nnode 4 slow 3x at 10ms for 40ms\n",
    "graph.txt": "0 1\n1 2\n2 3\n3 4\n4 5\n5 0\n0 3\n2 0\n4 1\n",
    "links.txt": "source target dataRate delay queue group\n* * 8Mbps 3ms none none\n"
    "0 * 2Mbps 5ms 20000B up\n0 1 1Mbps 9ms none none\n",
}

RUNS = {
    "dyn-d2p": ["--drop=0.1"],
    "general-refund": [
        *("--algorithm=dyn-d2p-general", "--scheduleFile=clips.csv", "--chunk=4096"),
        *("--lossPolicy=refund", "--drop=0.2", "--payload=bytes", "--topology=file:graph.txt"),
    ],
    "const-budgets-ideal": [
        *("--algorithm=const-d2p", "--network=ideal", "--epsilon=file:budgets.csv", "--stopAt=1.8"),
        *("--sampler=fixed", "--adjacency=replace", "--partition=dirichlet:1", "--model=mlp"),
    ],
    "ada-reliable": [
        *("--algorithm=ada-d2p", "--mode=paper", "--lossPolicy=reliable", "--drop=0.2"),
        *("--dataset=linear-regression", "--model=linear-regression"),
    ],
    "dpps-paper": ["--algorithm=dpps", "--mode=paper", "--topology=out-degree:3", "--drop=0.02"],
    "partpsp-share": [
        *("--algorithm=partpsp-1", "--model=mlp-1", "--lossPolicy=running-sum", "--drop=0.2"),
        *("--traceLevel=summary", "--sampler=shuffle"),
    ],
    "adp-asynchronous": [
        *("--algorithm=adp-vrsgp", "--schedule=asynchronous", "--staleness=2", "--drop=0.1"),
        *("--compute=fixed:10ms:heterogeneous=3", "--dataRate=file:links.txt", "--nodes=8"),
    ],
    "fed-cdp-udp": [
        *("--algorithm=fed-cdp", "--hyper=iterations=2", "--network=packet", "--drop=0.05"),
        *("--lossPolicy=running-sum", "--seed=7", "--run=3"),
    ],
    "d-psgd-tcp": [
        *("--algorithm=d-psgd", "--network=packet", "--transport=tcp", "--topology=ring"),
        *("--drop=0.01", "--model=nn-2"),
    ],
    "decor-crashes": [
        "--algorithm=decor",
        "--hyper=colluders=1",
        "--topology=undirected-ring",
        "--fail=node 2 crash at 50ms for 250ms",
    ],
    "decor-leaks": [
        *("--algorithm=decor", "--hyper=colluders=2,secrets=1", "--lossPolicy=running-sum"),
        *("--fail=node 2 leaks at 50ms", "--fail=node 4 crash at 90ms for 30ms"),
    ],
    "sgp-crashes": [
        *("--algorithm=sgp", "--failures=failures.txt", "--fail=link 3->5 down at 10ms for 30ms"),
        *("--lossPolicy=running-sum", "--topology=random:0.5", "--workers=2"),
    ],
    "dfedsam-noise": [
        *("--algorithm=dfedsam", "--hyper=iterations=2", "--traceLevel=noise", "--drop=0.1"),
        *("--noiseSource=discrete-gaussian", "--accountant=rdp", "--snapshotEvery=1"),
    ],
    "a-dp2-libtorch": [
        *("--algorithm=a-dp2-sgd", "--topology=pairwise", "--model=vit-s", "--accountant=zcdp"),
        *("--sampler=full", "--nodes=3", "--samples=12", "--testSamples=5", "--batchSize=4"),
        *("--rounds=2", "--evaluateEvery=0", "--snapshotEvery=0"),
    ],
    "momentum-deadline": [
        *("--algorithm=momentum-d2p", "--model=cnn-xs", "--deadline=18ms", "--workers=2"),
        *("--compute=fixed:10ms:heterogeneous=1.5", "--drop=0.1", "--lossPolicy=renormalise"),
        *("--stepScale=plain", "--batchSize=24"),
    ],
    "ppsgd-full": ["--algorithm=ppsgd", "--model=mlp", "--init=zero", "--sampler=full"],
    "fed-dpa-loop": [
        *("--algorithm=fed-dpa", "--partition=by-class:2", "--noise=off", "--clip=3"),
        "--ns3::DpdlApplication::Engine=libtorch-loop",
    ],
}
