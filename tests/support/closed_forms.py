"""Motions in closed form, in double precision."""
import math


def closed_form(w, z, x, v, t):
    """Displacement and velocity after t of x'' + 2 z w x' + w^2 x = 0."""
    decay = math.exp(-z * w * t)
    if z < 1 and w > 0:
        a = w * math.sqrt(1 - z * z)
        c, s = math.cos(a * t), math.sin(a * t) / a
    elif z > 1:
        a = w * math.sqrt(z * z - 1)
        c, s = math.cosh(a * t), math.sinh(a * t) / a
    else:
        c, s = 1, t
    return decay * (x * c + (v + z * w * x) * s), decay * (v * c - w * (w * x + z * v) * s)


def damped_form(k, x, v, a, t):
    """Position and velocity after t of dv/dt = a - k v."""
    if k == 0:
        return x + v * t + a * t * t / 2, v + a * t
    terminal = a / k
    return x + terminal * t - (v - terminal) * math.expm1(-k * t) / k, terminal + (v - terminal) * math.exp(-k * t)
