# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a torch.nn.Module as a model file (doc/formats/model.md), as layers or as TorchScript.

The function export_model needs torch and numpy; importing this file does not.
"""

from __future__ import annotations

import contextlib
import copy
import io
import json
import math
import os
import re
import tempfile
import warnings
from pathlib import Path
from typing import Any, Iterator

from dpdl_analysis.trace import UsageError

try:
    import numpy
    import torch
    from dpdl_analysis.torch_layers import Translation, Untranslatable
    MISSING = ""
except ImportError as absence:
    MISSING = (f"needs torch and numpy ({absence}): apt install python3-torch, or "
               "pip install torch numpy --extra-index-url https://download.pytorch.org/whl/cpu")

FORMAT = "dpdl-net-1"
MOST_PARAMETERS = 1e9
BATCHES = (1, 3, 7)
"""Batch sizes for comparisons of outputs and gradients."""
SOME = 5
_LOOKS = ("__bool__", "__int__", "__float__", "__index__", "item", "tolist", "numpy", "__array__",
          "equal", "allclose", "is_nonzero")
"""Tensor methods and functions that make values available to Python, such as for a branch."""
_BRANCH = "a branch on values"
_FIXED = "the same operations for every example"
_LIKE = "a forward pass of any number of examples like example_input"
_ALONE = "scores that depend on that example alone: torch.nn.GroupNorm, no dropout"


def _refused(place: str, found: str, expected: str) -> UsageError:
    return UsageError(f"{place}: {found} is not accepted; expected {expected}")


def _line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _attention(q: Any, k: Any, v: Any, attn_mask: Any = None, dropout_p: float = 0.0,
               is_causal: bool = False, scale: float | None = None, **_: Any) -> Any:
    """scaled_dot_product_attention, made of operations that every version of LibTorch has."""
    scores = (q @ k.transpose(-2, -1)) * (1 / math.sqrt(q.size(-1)) if scale is None else scale)
    if is_causal:
        attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        scores = scores.masked_fill(~attn_mask, -math.inf)
    elif attn_mask is not None:
        scores = scores + attn_mask
    return scores.softmax(-1) @ v


def _same(one: Any, other: Any, tolerance: float = 1e-4) -> bool:
    """True if two lists of tensors agree, within a tolerance relative to the largest value."""
    if [value.shape for value in one] != [value.shape for value in other]:
        return False
    a, b = [torch.cat([value.detach().flatten().double() for value in each])
            for each in (one, other)]
    return torch.allclose(a, b, tolerance, tolerance / 10 * max(1.0, b.abs().max().item()))


class _Exporter:
    """A module and a batch of examples: checks of the module, and its translation."""

    def __init__(self, module: Any, example: Any) -> None:
        self.module, self.example, self.tokens = module, example, 0
        self.names = {id(part): name for name, part in module.named_modules()}
        self.parameters = dict(module.named_parameters())

    def shown(self, part: Any) -> str:
        name = self.names[id(part)]
        return f"layer '{name}' ({type(part).__name__})" if name else "module"

    def outputs(self, x: Any) -> list[tuple[Any, Any, Any]]:
        """(submodule, input, output) of each call in a forward pass; the module comes last."""
        found: list[tuple[Any, Any, Any]] = []

        def keep(part: Any, given: Any, y: Any) -> None:
            found.append((part, given[0] if given else x, y[0] if isinstance(y, tuple) else y))

        hooks = [part.register_forward_hook(keep) for part in self.module.modules()]
        try:
            y = self.module(x)
            return [*found, (self.module, x, y)]
        except Exception as error:  # names the innermost submodule of the traceback
            part, step = self.module, error.__traceback__
            while step is not None:
                inner = step.tb_frame.f_locals.get("self")
                part, step = inner if id(inner) in self.names else part, step.tb_next
            raise _refused(self.shown(part), f"'{_line(error)}' for examples {list(x.shape)}",
                           _FIXED if _line(error) == _BRANCH else _LIKE) from error
        finally:
            for hook in hooks:
                hook.remove()

    def draw(self, count: int) -> Any:
        """Random examples: tokens, whole numbers from the example batch, or normal numbers."""
        given, shape = self.example.float(), (count, *self.example.shape[1:])
        spread = float(given.max() - given.min())
        if self.tokens:
            return torch.randint(self.tokens, shape).to(self.example.dtype)
        if spread > 0 and (given == given.round()).all():
            return self.example.flatten()[torch.randint(given.numel(), shape)]
        return (torch.randn(shape) * (spread or 1.0) + given.mean()).to(self.example.dtype)

    def check_parameters(self) -> None:
        count = sum(value.numel() for value in self.parameters.values())
        if count > MOST_PARAMETERS:
            raise _refused("module", f"{count} parameters", f"at most {MOST_PARAMETERS:.0f}")
        if not any(value.requires_grad for value in self.parameters.values()):
            raise _refused("module", "no parameter that learns", "requires_grad=True in one")
        for name, value in self.parameters.items():
            if value.dtype != torch.float32 or value.device.type != "cpu":
                raise _refused(f"parameter '{name}'", f"{value.dtype} on {value.device}",
                               "float32 on cpu: module.float().cpu()")
            if not value.isfinite().all():
                raise _refused(f"parameter '{name}'", "a value that is not finite", "numbers")
            if value._backward_hooks:
                raise _refused(f"parameter '{name}'", "a hook on its gradient", "none, which would "
                               "be lost; or requires_grad=False")

    def check_branches(self) -> None:
        """Raises UsageError if a forward pass branches on values. Sets the vocabulary size."""
        class Watched(torch.Tensor):
            @classmethod
            def __torch_function__(cls, function: Any, types: Any, args: Any = (),
                                   kwargs: Any = None) -> Any:
                if getattr(function, "__name__", "") in _LOOKS:
                    raise TypeError(_BRANCH)
                return super().__torch_function__(function, types, args, kwargs or {})

        x = self.example[torch.arange(SOME) % len(self.example)]
        self.outputs(x.as_subclass(Watched))
        for part, given, _ in self.outputs(x):
            if isinstance(part, torch.nn.Embedding) and torch.equal(given.float(), x.float()):
                self.tokens = min(self.tokens or part.num_embeddings, part.num_embeddings)

    def compare(self, one: Any, other: Any, found: str, expected: str) -> None:
        """If the module's outputs differ, raises UsageError naming the first such submodule."""
        if not _same(one[-1][2:], other[-1][2:]):
            pairs = [(part, a, b) for (part, _, a), (*_, b) in zip(one, other)
                     if torch.is_tensor(a) and torch.is_tensor(b) and a.shape == b.shape]
            part = next((part for part, a, b in pairs if not _same([a], [b])), self.module)
            raise _refused(self.shown(part), found, expected)

    def check_scores(self, buffers: dict[str, Any]) -> int:
        """Number of logits. Raises UsageError if an example's logits depend on other examples."""
        x = self.draw(SOME)
        tensors = {**self.parameters, **dict(self.module.named_buffers())}
        versions = {name: value._version for name, value in tensors.items()}
        whole, y = self.outputs(x), self.module(x)
        if not torch.is_tensor(y) or (y.dim(), len(y), y.dtype) != (2, SOME, torch.float32):
            kind = f"{y.dtype} {list(y.shape)}" if torch.is_tensor(y) else type(y).__name__
            raise _refused("module", f"an output of {kind} for {SOME} examples",
                           f"one float32 tensor of scores [{SOME}, classes]")
        if not y.isfinite().all():
            raise _refused("module", "scores that are not finite", "numbers")
        if y.shape[1] > 1 and (y >= 0).all() and torch.allclose(y.sum(1), torch.ones(SOME)):
            raise _refused("module", "scores that are probabilities", "logits: the loss function "
                           "applies softmax itself")
        self.compare(whole, self.outputs(x), "a random output",
                     "dropout of p=0, or torch.nn.Identity in its place")
        changed = [name for name, value in self.module.named_buffers()
                   if not torch.equal(value, buffers[name])]
        # LibTorch counts the writes to a tensor. A write may have no effect on these examples only.
        changed += [name for name, value in tensors.items() if value._version != versions[name]]
        for name in changed:
            kind = "buffer" if name in buffers else "parameter"
            part = self.module.get_submodule(name.rpartition(".")[0])
            raise _refused(self.shown(part), f"{kind} '{name}', which a forward pass changes,",
                           "parameters alone that learn, as torch.nn.GroupNorm has")
        alone = [(steps[0][0], x, torch.cat([y for *_, y in steps]) if torch.is_tensor(steps[0][2])
                  and steps[0][2].dim() > 0 else None)
                 for steps in zip(*(self.outputs(x[i : i + 1]) for i in range(SOME)))]
        self.compare(whole, alone, "an output that depends on other examples", _ALONE)
        self.module.eval()
        self.compare(whole, self.outputs(x), "another output after eval() than after train()",
                     _ALONE)
        self.module.train()
        return int(y.shape[1])

    def gradients(self, function: Any, names: dict[str, Any], x: Any) -> list[list[Any]]:
        """Logits, and the gradients of a fixed weighted sum of all logits."""
        leaves = [value for value in names.values() if value.requires_grad]
        y = function(x)
        weights = torch.arange(1.0, y.numel() + 1, dtype=y.dtype).reshape(y.shape).cos()
        found = torch.autograd.grad((y * weights).sum(), leaves, allow_unused=True)
        return [[y], [torch.zeros_like(leaf) if gradient is None else gradient
                      for leaf, gradient in zip(leaves, found)]]

    def equal(self, one: Any, other: Any, parameters: Any, others: Any, tolerance: float) -> bool:
        """True if two functions agree in logits and gradients on random batches."""
        kind = next(iter(parameters.values())).dtype
        several = [self.draw(count) for count in BATCHES]
        return all(_same(a, b, tolerance) for x in several for a, b in zip(*(
            self.gradients(function, names, x if self.example.dtype == torch.long else x.to(kind))
            for function, names in ((one, parameters), (other, others)))))

    def script(self) -> bytes:
        """The module as a TorchScript file. Raises UsageError if the file computes other values."""
        functions, name, buffer = torch.nn.functional, "scaled_dot_product_attention", io.BytesIO()
        kept = getattr(functions, name, None)
        try:
            if kept is not None:
                setattr(functions, name, _attention)
            torch.jit.save(torch.jit.trace(self.module, self.draw(SOME), check_trace=False), buffer)
            buffer.seek(0)
            loaded = torch.jit.load(buffer)
        except Exception as error:
            raise _refused("module", f"a trace that ends in '{_line(error)}'",
                           "tensors in and one tensor out") from error
        finally:
            if kept is not None:
                setattr(functions, name, kept)
        found: dict[int, tuple[str, Any]] = {}
        for name, value in loaded.named_parameters():
            found.setdefault(value.data_ptr(), (name, value))
        names = dict(found.values())
        kinds = [{(name, value.shape, value.requires_grad) for name, value in each.items()}
                 for each in (names, self.parameters)]
        if kinds[0] != kinds[1]:
            raise _refused(f"parameter '{min(kinds[0] ^ kinds[1])[0]}'", "another one in the trace",
                           "one of the module itself, which shares no storage with others")
        ordered = {name: names[name] for name in self.parameters}
        if not self.equal(loaded, self.module, ordered, self.parameters, 1e-4):
            raise _refused("module", "a trace that computes something else", _FIXED)
        return buffer.getvalue()

    def layers(self) -> tuple[Any, dict[str, Any]]:
        """Layers of a model file, and weights by name, that equal the module in float64.

        Raises Untranslatable if there are none."""
        try:
            double = copy.deepcopy(self.module).double()
            names = {name: value for name, value in double.named_parameters()
                     if value.requires_grad}
            found = Translation(double, self.tokens)
            if not self.equal(found.run, double, names, names, 1e-9):
                raise Untranslatable("torch.fx makes another function of it")
        except Untranslatable as reason:
            raise Untranslatable(_line(reason)) from reason
        except Exception as error:
            raise Untranslatable("torch.fx cannot follow its forward pass") from error
        if not found.kept.keys() == names.keys() == double.state_dict().keys():
            raise Untranslatable("some of its tensors are shared, frozen or buffers")
        return found.layers, {name: self.parameters[name].detach().numpy().copy(order="C")
                              for name in found.kept}


@contextlib.contextmanager
def _kept(module: Any) -> Iterator[dict[str, Any]]:
    """Context that restores random state, modes and buffers; yields the buffers' values."""
    modes = [(part, part.training) for part in module.modules()]
    # TorchScript stores the module name of each class. Remove characters that it does not accept,
    # such as the brackets in <run_path>, the module name that runpy gives.
    places = [(type(part), type(part).__module__) for part in module.modules()]
    buffers = {name: value.clone() for name, value in module.named_buffers()}
    try:
        with torch.random.fork_rng(devices=[]), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.manual_seed(1)
            module.train()
            for kind, place in places:
                kind.__module__ = re.sub(r"[^\w.]", "", place)
            yield buffers
    finally:
        for (part, mode), (kind, place) in zip(modes, places):
            part.training, kind.__module__ = mode, place
        for name, value in module.named_buffers():
            value.data.copy_(buffers.get(name, value))


def _exported(module: Any, example: Any, script: str) -> tuple[Any, bytes, dict[str, Any]]:
    """(model file, TorchScript, weights of the layers); either TorchScript or weights are empty."""
    if not isinstance(module, torch.nn.Module):
        raise _refused("module", type(module).__name__, "a torch.nn.Module")
    if isinstance(example, numpy.ndarray):
        scale = numpy.float32(255) if example.dtype == numpy.uint8 else 1
        example = torch.from_numpy(example / scale if scale != 1 else example)
    if not torch.is_tensor(example) or not 2 <= example.dim() <= 4 or len(example) == 0:
        raise _refused("example_input", str(list(getattr(example, "shape", []))),
                       "a batch of examples, [n, width] to [n, channels, height, width]")
    whole = not example.is_floating_point()
    exporter = _Exporter(module, example.long() if whole else example.float())
    with _kept(module) as buffers:
        exporter.check_parameters()
        exporter.check_branches()
        scores = exporter.check_scores(buffers)
        data = exporter.script()
        net = {"format": FORMAT, "input": list(example.shape[1:])}
        try:
            layers, weights = exporter.layers()
        except Untranslatable as reason:
            return {**net, "script": script, "scores": scores, "tokens": exporter.tokens,
                    "whole": whole, "reason": str(reason)}, data, {}
    return {**net, "layers": layers}, b"", weights


def export_model(module: torch.nn.Module, example_input: torch.Tensor, path: str | Path) -> Path:
    """Writes a module as a model file, for `--model=file:NET.json`. Returns `path`.

    module: computes logits [n, classes] of n examples, each independent of the other examples.
    example_input: a batch of typical examples, [n, ...]; NumPy arrays of uint8 are scaled to [0,
    1], as in runs. path: NET.json. NET.npz next to it has the weights of its layers, or NET.pt its
    TorchScript. Raises UsageError naming the layer if the file would compute other values than the
    module.
    """
    path = Path(path)
    if path.suffix != ".json":
        raise UsageError(f"path: '{path}' is not accepted; expected a name that ends in .json")
    if MISSING:
        raise UsageError(f"export_model {MISSING}")
    try:
        net, script, weights = _exported(module, example_input, path.with_suffix(".pt").name)
    except UsageError:
        raise
    except Exception as error:  # torch runs the user's code, which may raise anything
        raise UsageError(f"module: {_line(error)}") from error
    layers = ",\n    ".join(map(json.dumps, net.pop("layers", [])))
    lines = [f'  "{key}": {json.dumps(value)}' for key, value in net.items()]
    lines += [f'  "layers": [\n    {layers}\n  ]'] if layers else []
    used, unused = (".pt", ".npz") if script else (".npz", ".pt")
    try:
        with tempfile.TemporaryDirectory(prefix=f".{path.stem}-", dir=path.parent) as folder:
            new = Path(folder, path.name)
            if script:
                new.with_suffix(used).write_bytes(script)
            else:
                numpy.savez(new.with_suffix(used), **weights)
            new.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
            os.replace(new.with_suffix(used), path.with_suffix(used))
            os.replace(new, path)
        path.with_suffix(unused).unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"path: '{path}': {error.strerror or error}") from error
    return path
