"""Code is compiled without the instructions that LLVM gets wrong."""

from __future__ import annotations

import doctest
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

from playout.compiled import kernel, processor


@kernel
def take_out(kind, a, new):
    """What is replaced where `kind` is 0, and `kind` elsewhere: how many are 1, less those of 2."""
    total = 0
    for i in range(len(kind)):
        x = np.int64(kind[i])
        if x == 0:
            x = np.int64(a[i])
            a[i] = new
        if x == 1:
            total += 1
        elif x == 2:
            total -= 1
    return total


@pytest.mark.parametrize("kind", ["u1", "i2", "i4", "i8"])
def test_what_was_there_is_read_before_it_is_written_over(kind):
    """LLVM 22 reads it after that, with AVX-512: most of these come out wrong then."""
    rng = np.random.default_rng(1)
    for n in range(1, 70):
        kinds, values = rng.integers(0, 3, n).astype(kind), rng.integers(0, 4, n).astype(kind)
        plain, compiled = values.copy(), values.copy()
        assert take_out(kinds, compiled, 9) == take_out.py_func(kinds, plain, 9)
        assert np.array_equal(plain, compiled)


@pytest.fixture
def host(monkeypatch):
    """A processor with AVX-512, and LLVM 22, that has compiled nothing."""
    features = "+avx2,+avx512f,-avx10.2,+avx512vl"
    monkeypatch.setattr(processor, "get_host_cpu_features", lambda: features)
    monkeypatch.setattr(processor, "llvm_version_info", (22, 1, 0))
    monkeypatch.setattr(processor, "cpu_target", SimpleNamespace())
    monkeypatch.setattr(processor, "config", SimpleNamespace(CPU_FEATURES=None))


def restricted():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        processor.restrict_features()
    return processor.config.CPU_FEATURES


def test_features_that_are_compiled_wrongly_are_off(host):
    assert restricted() == "+avx2,-avx512f,-avx10.2,-avx512vl"


def test_an_older_llvm_may_use_them(host, monkeypatch):
    monkeypatch.setattr(processor, "llvm_version_info", (21, 1, 8))
    assert restricted() is None


@pytest.mark.parametrize("features", ["", "+neon", "+avx2,-avx512f"])
def test_a_processor_without_them_is_as_it_was(host, monkeypatch, features):
    monkeypatch.setattr(processor, "get_host_cpu_features", lambda: features)
    assert restricted() is None


def test_a_users_choice_is_left_alone(host):
    processor.config.CPU_FEATURES = "+avx512f"
    assert restricted() == "+avx512f"


def test_where_numba_has_compiled_already_that_is_said(host):
    processor.cpu_target._toplevel_target_context = object()
    with pytest.warns(UserWarning, match="import playout.compiled before"):
        processor.restrict_features()
    assert processor.config.CPU_FEATURES is None


def test_its_examples():
    failed, tried = doctest.testmod(processor)
    assert not failed
    assert tried
