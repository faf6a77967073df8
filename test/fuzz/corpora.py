#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes the seeds of all fuzz targets: a folder of valid inputs for each parser.

usage: corpora.py FOLDER
"""

import gzip
import io
import struct
import sys
import tarfile
from pathlib import Path

import dataset_corpus

IMAGES = struct.pack(">HBBIII", 0, 8, 3, 2, 2, 3) + bytes(range(12))
RECORDS = b"".join(bytes([label]) + bytes([label] * 3072) for label in (3, 9))


def archive(mode: str, form: int) -> bytes:
    """RECORDS as file b of a tar archive."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode, format=form) as tar:
        member = tarfile.TarInfo("folder/b")
        member.size = len(RECORDS)
        tar.addfile(member, io.BytesIO(RECORDS))
    return stream.getvalue()


HEADER = struct.pack(">4sBBHIIIddiII", b"dpdl", 2, 0, 1, 3, 0, 1, 0.5, 0.5, 0, 120, 7)
PIECES = bytes(byte for index in range(5) for byte in (1, index))
HEARD = bytes(byte for node in (0, 16) for index in range(4) for byte in (3 + node, index))
STREAM = b"".join(struct.pack(">4sBBHQIII", b"dpfr", 1, 0, 1, number, 0, 1, size) + bytes(4 + size)
                  for number, size in ((4, 60), (5, 0), (7, 90)))
SEEDS: dict[str, list[bytes]] = {
    "activity": [b"0 0 10\n1 2.5 7\n1 8 9\n", b"# node from to\n6 0 1e3\n"],
    "archive": [archive("w", tarfile.USTAR_FORMAT)[:7680], archive("w:gz", tarfile.GNU_FORMAT),
                archive("w:gz", tarfile.PAX_FORMAT)],
    "cifar": [RECORDS, gzip.compress(RECORDS)],
    "contacts": [b"0 1 0 5\n1 2 3.5 8\n", b"# CONN\n10.5 CONN 3 4 up\n12 CONN 3 4 down\n"],
    "edges": [b"0 1\n1 2\n2 0\n", b"# phase\n0 1 2\n1 2 3\n2 5 6\n"],
    "failures": [
        b"link 0->1 down at 2s for 500ms\nnode {0-2,5} crash with state at 1s recover 3s\n",
        b"group east = {0-3}\npartition east | {4-6} at 5s for 1s\nrandom link * down "
        b"mean-up=10s mean-down=1s\n",
        b"link 3->4 loss 0.3 from 2s\nlink * burst p=0.05 r=0.5 bad=1 good=0\nnode 2 slow 3x\n",
        b"region (10, 20) radius 50 at 1s\njam (0,0) radius 5m 0.5\nlink 0->1 flap up=1s down=2s\n",
        b"link {0-2}->* delay 30ms at 1s\nlink 1->2 rate 1Mbps at 2s\nnode 3 pause at 4s for 1s\n",
    ],
    "header": [b"\1" + HEADER + bytes(12), b"\0" + HEADER],
    "hyper": [b"dfedsam\niterations=3,radius=0.1\n", b"decor\ncolluders=2,secrets=1\n",
              b"adp-vrsgp\n", b"bandmf\nbands=4\n"],
    "idx": [IMAGES, gzip.compress(IMAGES)],
    "links": [
        b"0 1 5ms\n1 2 7us\n",
        b"source target delay rate drop queue\n0 1 5ms 1Mbps 0.1 10p\n1 0 1ms 2Mbps 0 1000B\n",
        b"# error 0.01\nsource target delay group shared\n0 1 5ms a yes\n",
    ],
    "model": [
        b'{"format": "dpdl-net-1", "input": [1, 8, 8], "layers": [{"kind": "conv2d", "out": 3, '
        b'"kernel": [3, 2], "padding": 1, "groups": 1, "bias": false}, {"kind": "group_norm", '
        b'"groups": 3, "eps": 1e-5}, {"kind": "relu", "name": "x"}, {"kind": "add", "from": "x", '
        b'"input": "x"}, {"kind": "avg_pool2d", "kernel": 2}, {"kind": "flatten", "start": 1}, '
        b'{"kind": "linear", "out": 2}]}',
        b'{"format": "dpdl-net-1", "input": [4], "layers": [{"kind": "embedding", "count": 9, '
        b'"out": 4}, {"kind": "class_token"}, {"kind": "position"}, {"kind": "attention", "heads":'
        b' 2}, {"kind": "layer_norm"}, {"kind": "select", "index": 0}, {"kind": "linear", "out":'
        b' 2, "name": "\u0041\n"}]}',
        b'{"format": "dpdl-net-1", "input": [3, 9], "layers": [{"kind": "conv1d", "out": 4, '
        b'"kernel": 3, "stride": 2}, {"kind": "max_pool1d", "kernel": 2}, {"kind": "transpose"}, '
        b'{"kind": "mean"}, {"kind": "gelu"}, {"kind": "linear", "out": 1}]}',
    ],
    "movement": [
        b"$node_(0) set X_ 150.0\n$node_(0) set Y_ 93.9\n$node_(0) set Z_ 0\n"
        b'$ns_ at 1.5 "$node_(0) setdest 250.0 93.9 10.5"\n',
        b'<fcd-export><timestep time="1.50"><vehicle id="a" x="1" y="2" speed="3"/></timestep>'
        b'</fcd-export>',
    ],
    "options": [
        b"algorithm=dyn-d2p\nepsilon=node-random:0.3,3\nbatchSize=16\ncompute=fixed:5ms\n"
        b"average=0.5\ncheckpoint=10s\n",
        b"network=message\ndelay=5ms\ndataRate=1Mbps\nchunkBytes=1200\nfeatures=scattering:2\n"
        b"schedule=asynchronous\nstaleness=2\nlossPolicy=running-sum\nrecipe=best\n",
        b"partition=dirichlet:0.5\nsampler=balls-in-bins\ntopology=out-degree:3\nworkers=2\n",
    ],
    "pieces": [PIECES + HEARD, PIECES[::-1], bytes([5, 2, 6, 1]) + PIECES + PIECES],
    "quantities": [b"5ms", b"1e-3s", b"10Mbps", b"0.25", b"-1e300", b"1:30"],
    "schedule": [b"rounds,rate,noise\n10,0.1,2\n5,1,3.5\n", b"rate,noise\n0.01,0.5\n"],
    "stream": [b"\1" + STREAM, b"\xff" + STREAM, b"\0" + STREAM],
    "topology": [b"exponential", b"out-degree:3", b"random:0.4", b"small-world:2,0.1", b"radius:400",
                 b"sbm:2,0.8,0.1", b"pairwise", b"mobility:150", b"exponential-peers:2"],
}


def main(folder: Path) -> None:
    dataset_corpus.main(folder / "dataset")
    for parser, seeds in SEEDS.items():
        (folder / parser).mkdir(parents=True, exist_ok=True)
        for number, seed in enumerate(seeds):
            (folder / parser / str(number)).write_bytes(seed)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
