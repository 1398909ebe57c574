"""Print the requirements file whose CuPy fits this machine's driver, or nothing without a GPU.

Standard library only: it runs before anything is installed.
"""

import sys

from warpath.devices import driver

_OLDEST_ARCHITECTURE_OF_CUDA_13 = 75


def requirements(version, architecture):
    """Return the file for a driver that supports CUDA `version` (12090 is 12.9) and GPUs from `architecture` on."""
    if version >= 13000 and architecture >= _OLDEST_ARCHITECTURE_OF_CUDA_13:
        return "requirements/cupy-cuda13.txt"
    return "requirements/cupy-cuda12.txt"


def main():
    architecture = driver.oldest_architecture()
    if architecture is None:
        return
    if driver.version() < driver.OLDEST:
        sys.exit(f"warpath: {driver.too_old_message()}, or hide the GPU with CUDA_VISIBLE_DEVICES=")
    print(requirements(driver.version(), architecture))


if __name__ == "__main__":
    main()
