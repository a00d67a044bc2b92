"""Gyre: springs, particles, flings, chains of bones and rigid bodies in numpy arrays, stepped by SIMD kernels.

Arrays are the caller's, float32 and contiguous; steps change them in place and copy nothing. C releases the GIL.

    position, velocity = numpy.zeros((2, 1000), numpy.float32)
    springs = gyre.Springs(position, velocity, target=numpy.ones(1000, numpy.float32))
    springs.step(gyre.Spring.from_response(0.5, 0.825).matrix_at(1 / 60))

A name here is the name in C without gyre_. What begins with a batch is a method: gyre_springs_step is Springs.step.
"""
from ._bodies import Bodies as Bodies
from ._calls import Error as Error
from ._chains import BoneChains as BoneChains
from ._chains import level_begin as level_begin
from ._constants import VERSION as __version__
from ._constants import BodyMethod as BodyMethod
from ._constants import ColliderKind as ColliderKind
from ._constants import InertiaKind as InertiaKind
from ._constants import Status as Status
from ._interface import *
from ._library import library as library
from ._library import version as version
from ._structures import find_awake as find_awake
from ._structures import gather as gather
from ._structures import scatter as scatter
from ._tables import Kernels as Kernels
from ._tables import available as available
from ._tables import in_use as in_use
from ._tables import use as use
