"""Against scipy's solve_ivp with DOP853 and a relative tolerance of 1e-12: the cases of bench/python/against_scipy.py."""
import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench/python"))
import against_scipy as cases


def error_of(kind, monkeypatch, steps):
    monkeypatch.setattr(cases, "STEPS", steps)
    monkeypatch.setattr(cases, "DT", np.float32(1 / steps))
    monkeypatch.setattr(cases, "END", steps * float(np.float32(1 / steps)))
    monkeypatch.setattr(cases, "random", np.random.default_rng(7))
    case = kind()
    return case.error(case.step(), cases.solve(case.rhs, case.start, rtol=1e-12, atol=1e-12))


@pytest.mark.parametrize("kind, allowed", [(cases.Springs, 1e-6), (cases.Particles, 2e-5), (cases.Bodies, 2e-4),
                                           (cases.Chains, 2e-2)])
def test_sixty_steps(kind, allowed, monkeypatch):
    assert error_of(kind, monkeypatch, 60) < allowed


@pytest.mark.parametrize("kind", [cases.Bodies, cases.Chains])
def test_ten_times_the_steps_have_a_hundredth_of_the_error(kind, monkeypatch):
    """A torque, and bones that hang on moving bones, are of second order; the rest is rounding."""
    assert error_of(kind, monkeypatch, 600) < error_of(kind, monkeypatch, 60) / 50 + 1e-5
