#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""One step of other libraries on the networks of `./dpdl bench step`: same batch, random data.

Each private one clips every example's gradient to norm 1, adds Gaussian noise to the sum and
updates. The batch is ready beforehand. One thread; what is printed is processor time, and of
`--device=cuda` wall-clock time. With `--nodes`, some compute a step of that many nodes, each with a
model of its own, in one map; what is printed is the time divided by their number.
"""
import argparse
import time
from typing import Callable

import peer_lines

Step = Callable[[], object]
CLIP = 1.0
STEP_SIZE = 0.1


class Task:
    """What is measured: network, batch, and where."""

    def __init__(self, model: str, batch: int, parameters: int, device: str, nodes: int) -> None:
        self.model = model
        self.batch = batch
        self.parameters = parameters
        self.device = device
        self.nodes = nodes

    def module(self):
        """The network of PyTorch; its parameters are counted."""
        import torch
        import torch_models
        torch.set_num_threads(1)
        torch.backends.cudnn.allow_tf32 = False  # float32, as ours
        module = torch_models.MODELS[self.model]().to(self.device)
        self.check(sum(tensor.numel() for tensor in module.parameters()))
        return module

    def check(self, count: int) -> None:
        """Refuses a network that is not ours."""
        if self.parameters and count != self.parameters:
            raise ValueError(f"{count} parameters instead of {self.parameters}")

    def tensors(self, *lead: int):
        """Images and labels; lead: dimensions before those of a batch."""
        import torch
        import torch_models
        lead = (*lead, self.batch)
        images = torch.rand(*lead, *torch_models.image_shape(self.model), device=self.device)
        return images, torch.randint(10, lead, device=self.device)


def plain_step(task: Task) -> Step:
    """SGD without privacy."""
    import torch
    module = task.module()
    images, labels = task.tensors()
    optimiser = torch.optim.SGD(module.parameters(), lr=STEP_SIZE)

    def step() -> None:
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(module(images), labels).backward()
        optimiser.step()
    return step


def opacus_step(task: Task, mode: str) -> Step:
    """Opacus: per-example gradients from hooks, or ghost clipping with two backward passes."""
    import torch
    import opacus
    from torch.utils.data import DataLoader, TensorDataset
    module = task.module()
    images, labels = task.tensors()
    criterion = torch.nn.CrossEntropyLoss()
    parts = opacus.PrivacyEngine().make_private(
        module=module, optimizer=torch.optim.SGD(module.parameters(), lr=STEP_SIZE),
        criterion=criterion, noise_multiplier=1.0, max_grad_norm=CLIP, poisson_sampling=False,
        data_loader=DataLoader(TensorDataset(images, labels), batch_size=task.batch),
        grad_sample_mode=mode)
    if mode == "ghost":
        module, optimiser, criterion = parts[0], parts[1], parts[2]
    else:
        module, optimiser = parts[0], parts[1]

    def step() -> None:
        optimiser.zero_grad()
        criterion(module(images), labels).backward()
        optimiser.step()
    return step


def functional_step(task: Task, compiled: bool, mapped: bool = False) -> Step:
    """torch.func: vmap over the gradient of one example; mapped: and over the nodes."""
    import torch
    from torch import func
    module = task.module()
    lead = [task.nodes] if mapped else []
    images, labels = task.tensors(*lead)
    parameters = {name: value.detach().expand(*lead, *value.shape).clone()
                  for name, value in module.named_parameters()}

    def loss(values, image, label):
        scores = func.functional_call(module, values, (image[None],))
        return torch.nn.functional.cross_entropy(scores, label[None])

    gradients = func.vmap(func.grad(loss), in_dims=(None, 0, 0))

    def update(values, noise, images, labels):
        each = gradients(values, images, labels)
        squares = sum(g.flatten(1).square().sum(1) for g in each.values())
        factors = (CLIP / (squares.sqrt() + 1e-6)).clamp(max=1.0)
        return {name: value - STEP_SIZE / task.batch *
                (torch.einsum("b,b...->...", factors, each[name]) + noise[name])
                for name, value in values.items()}

    function = func.vmap(update) if mapped else update
    function = torch.compile(function) if compiled else function

    def step() -> None:
        nonlocal parameters
        noise = {name: torch.randn_like(value) for name, value in parameters.items()}
        parameters = function(parameters, noise, images, labels)
    return step


def jax_step(task: Task, mapped: bool = False) -> Step:
    """JAX: jit(vmap(grad)), noise included; mapped: jit(vmap(vmap(grad)))."""
    import jax
    import jax.numpy as jnp
    import jax_models
    if task.device == "cuda" and jax.default_backend() != "gpu":
        raise RuntimeError("this JAX finds no GPU")
    scores = jax_models.SCORES[task.model]
    parameters = jax_models.start(task.model)
    task.check(sum(leaf.size for leaf in jax.tree.leaves(parameters)))
    keys = jax.random.split(jax.random.key(1), 3)
    lead = (task.nodes,) if mapped else ()
    images = jax.random.uniform(keys[0], (*lead, task.batch, 1, 28, 28))
    labels = jax.random.randint(keys[1], (*lead, task.batch), 0, 10)

    def loss(values, image, label):
        return -jax.nn.log_softmax(scores(values, image))[label]

    def update(values, key, images, labels):
        each = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(values, images, labels)
        leaves, tree = jax.tree.flatten(each)
        squares = sum(jnp.sum(jnp.square(leaf.reshape(task.batch, -1)), 1) for leaf in leaves)
        factors = jnp.minimum(1.0, CLIP / (jnp.sqrt(squares) + 1e-6))
        sums = [jnp.tensordot(factors, leaf, 1) for leaf in leaves]
        *noise_keys, next_key = jax.random.split(key, len(sums) + 1)
        noisy = [total + jax.random.normal(noise_key, total.shape)
                 for total, noise_key in zip(sums, noise_keys)]
        moved = jax.tree.map(lambda value, g: value - STEP_SIZE / task.batch * g, values,
                             jax.tree.unflatten(tree, noisy))
        return moved, next_key

    function = jax.jit(jax.vmap(update) if mapped else update)
    state = (jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, lead + leaf.shape), parameters),
             jax.random.split(keys[2], lead) if mapped else keys[2])

    def step() -> None:
        nonlocal state
        state = jax.block_until_ready(function(*state, images, labels))
    return step


MAPPED = "nodes in one map"
# name, package of pip, private, its step
PEERS = [
    ("PyTorch, plain SGD", "torch", "no", plain_step),
    ("Opacus, hooks", "opacus", "yes", lambda task: opacus_step(task, "hooks")),
    ("Opacus, ghost clipping", "opacus", "yes", lambda task: opacus_step(task, "ghost")),
    ("torch.func", "torch", "yes", lambda task: functional_step(task, False)),
    ("torch.func, torch.compile", "torch", "yes", lambda task: functional_step(task, True)),
    ("JAX, jit(vmap(grad))", "jax", "yes", jax_step),
    (f"torch.func, {MAPPED}, torch.compile", "torch", "yes",
     lambda task: functional_step(task, True, True)),
    (f"JAX, {MAPPED}", "jax", "yes", lambda task: jax_step(task, True)),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, choices=["mlp", "cnn-s", "cnn-m", "resnet-18"])
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--nodes", type=int, default=1, help="nodes in one map")
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--parameters", type=int, default=0, help="what ours has; 0: unknown")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    given = parser.parse_args()
    task = Task(given.model, given.batch, given.parameters, given.device, given.nodes)
    now = time.process_time if given.device == "cpu" else peer_lines.device_clock
    for name, package, private, make in PEERS:
        nodes = given.nodes if MAPPED in name else 1
        if MAPPED in name and nodes == 1:
            continue
        if name.endswith("torch.compile") and given.model == "resnet-18":
            peer_lines.tell(name, trouble="left out: compiling it takes minutes")
            continue
        if name.startswith("JAX") and given.model == "resnet-18":
            peer_lines.tell(name, trouble="left out: not written in JAX here")
            continue
        peer_lines.attempt(name, package, lambda: {
            "private": private,
            "seconds": [seconds / nodes for seconds in
                        peer_lines.seconds_of(make(task), given.repeats, now=now)]})


if __name__ == "__main__":
    main()
