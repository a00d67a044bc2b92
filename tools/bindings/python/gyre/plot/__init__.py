"""Pictures of springs, particles, bodies and chains, drawn with matplotlib: python3 -m gyre.plot PICTURE."""
