"""How a workflow uses this one: by itself, or as a Snakemake module, perhaps with a prefix, perhaps several times."""

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from warpath.base import places
from warpath.base.errors import UserError
from warpath.warm.address import FOLDER


@dataclass(frozen=True)
class Use:
    name: str | None  # of the module; None for a workflow by itself
    prefix: str  # of all that it makes: empty, or a folder with a final slash
    decides_target: bool  # whether its rule `all` is what Snakemake makes by default

    @property
    def is_main(self):
        return self.name is None

    @property
    def folder(self):
        """The folder that it works in, relative to that of Snakemake."""
        return self.prefix.rstrip("/") or os.curdir

    @property
    def environment(self):
        """The beginning of a job's command: in which folder it works. Nothing without a prefix."""
        return f"{FOLDER}={shlex.quote(self.prefix)} ".replace("{", "{{").replace("}", "}}") if self.prefix else ""

    def path(self, path):
        """The path of a file that this workflow makes, as Snakemake has it."""
        return f"{self.prefix}{path}"

    def given(self, paths):
        """Inputs that are not made here. They are absolute where Snakemake would put a prefix before them."""
        return [str(Path(path).absolute()) for path in paths] if self.prefix else paths

    def code(self, paths):
        """Files of the repository as inputs: relative, so that moving a checkout makes nothing anew."""
        return self.given([os.path.relpath(path) for path in paths])


def use(workflow, checkout):
    """How the Snakefile that is being read is used; `checkout` is its repository."""
    if checkout != places.ROOT:
        raise UserError(f"{places.ROOT} and {checkout}: one workflow can use modules of one repository only")
    modifier = workflow.modifier
    if modifier.is_main_snakefile():
        return Use(None, "", True)
    if _replaces(modifier.path_modifier):
        raise UserError(f"module {modifier.namespace}: replace_prefix is not supported; use prefix")
    prefix = modifier.path_modifier.replace_prefix("*").removesuffix("*")
    if Path(prefix) == Path("resources"):
        raise UserError(f'module {modifier.namespace}: prefix "resources" is taken by files in it; choose another')
    return Use(modifier.namespace, prefix, not workflow.default_target)


def _replaces(modifier):
    return modifier is not None and (modifier.modifies_prefixes or _replaces(modifier.inner_modifier))
