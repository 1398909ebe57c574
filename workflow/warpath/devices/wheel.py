"""Print the requirements file whose CuPy fits this machine's driver, or nothing without a GPU."""

import sys

from warpath.devices import driver


def main():
    architectures = [driver.properties(index)["architecture"] for index in range(driver.gpus())]
    if not architectures:
        return
    version = driver.version()
    if version < driver.OLDEST:
        sys.exit(f"warpath: {driver.too_old_message()}, or hide the GPU with CUDA_VISIBLE_DEVICES=")
    # CUDA 13 needs a driver of its own, and has no GPU before Turing.
    print(f"requirements/cupy-cuda{13 if version >= 13000 and min(architectures) >= 75 else 12}.txt")


if __name__ == "__main__":
    main()
