"""A Slurm cluster of one node with GPUs in name only, in a folder of its own: for root, where slurm-wlm is installed.

Nothing under /etc is read or written and no port of a real cluster is used: `SLURM_CONF` leads every command here.
"""

import contextlib
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path

from waits import within

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scontrol", "scancel"]

# Neither cgroups nor systemd: jobs are tracked by their process tree. Times are short, because tests wait for them.
CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
JobRequeue=1
ReturnToService=2
MinJobAge=600
SlurmctldTimeout=10
SlurmdTimeout=10
KillWait=2
GresTypes=gpu
NodeName={host} NodeAddr=127.0.0.1 CPUs=8 RealMemory=64000 Gres=gpu:2 State=UNKNOWN
PartitionName=gpu Nodes={host} Default=YES MaxTime=180 State=UP
"""


def reason_against():
    """The reason why no cluster can be started here, or None."""
    if os.getuid() != 0:
        return "needs root, to start Slurm's daemons"
    if importlib.util.find_spec("snakemake_executor_plugin_slurm") is None:
        return "needs requirements/slurm.txt"
    missing = [name for name in PROGRAMS if not _find(name)]
    return f"needs {', '.join(missing)} (apt install slurm-wlm munge)" if missing else None


class Cluster:
    def __init__(self, folder):
        self.folder, self.host = Path(folder), socket.gethostname().split(".")[0]
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}
        self._configure()

    def start(self):
        self._start_munged()
        self.daemon("slurmctld")
        self.daemon("slurmd")
        if not within(lambda: self.run("sinfo", "-h", "-o", "%T").strip() in ("idle", "mixed"), 30):
            logs = [path.read_text()[-2000:] for path in sorted(self.folder.glob("*.log"))]
            raise TimeoutError("Slurm did not start:\n" + "\n".join(logs))

    def run(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False).stdout

    def daemon(self, name):
        """Start a daemon, which goes to the background."""
        subprocess.run([_find(name), "-f", self.environment["SLURM_CONF"]], env=self.environment, check=True)

    def kill(self, name):
        """Kill a daemon; the processes that it started go on."""
        with contextlib.suppress(OSError, ValueError):
            os.kill(int((self.folder / f"{name}.pid").read_text()), signal.SIGKILL)

    def node(self, state):
        self.run("scontrol", "update", f"nodename={self.host}", f"state={state}", "reason=test")

    def queue(self, *states):
        """Ids of the jobs in one of these states; array tasks are like `12_3`."""
        return self.run("squeue", "-h", "-r", "-o", "%i", *(["-t", ",".join(states)] if states else [])).split()

    def stop(self):
        self.run("scancel", "--user", "root")
        for name in ("slurmd", "slurmctld", "munged"):
            self.kill(name)

    def _start_munged(self):
        """A munged with its own key, in a folder that only root may write to, as munged demands."""
        folder = self.folder / "munge"
        folder.mkdir(parents=True, mode=0o755)
        key = folder / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        subprocess.run(
            [
                *(_find("munged"), "--force", f"--key-file={key}", f"--socket={folder}/socket"),
                *(f"--pid-file={self.folder}/munged.pid", f"--log-file={folder}/log", f"--seed-file={folder}/seed"),
            ],
            check=True,
        )

    def _configure(self):
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        for number in range(2):  # no test opens the GPUs, so a copy of /dev/null will do
            os.mknod(self.folder / f"gpu{number}", 0o666 | 0o020000, os.makedev(1, 3))
        (self.folder / "gres.conf").write_text(f"NodeName={self.host} Name=gpu File={self.folder}/gpu[0-1]\n")
        # The plugin takes Slurm's variables from the environment of jobs, whose steps then know no configuration.
        step = self.folder / "bin/srun"
        step.parent.mkdir()
        step.write_text(f'#!/bin/sh\nSLURM_CONF={self.folder}/slurm.conf exec {_find("srun")} "$@"\n')
        step.chmod(0o755)
        controller, daemon = _free_ports(2)
        told = {"host": self.host, "folder": self.folder, "controller": controller, "daemon": daemon}
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(**told))


def _find(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def _free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [each.getsockname()[1] for each in sockets]
