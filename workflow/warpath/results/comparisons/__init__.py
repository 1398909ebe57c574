"""Compare measurements with each other: finished ones, or with `ab` the kernels of two states in turns."""
