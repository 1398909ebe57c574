# The repository that these files come from: its package is imported, and its kernels, settings and graphs are read.
# Snakemake fetches the Snakefiles of a module on a hosting service one by one; the rest is cloned into the working folder.

import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.sourcecache import HostingProviderFile, LocalGitFile, LocalSourceFile


def checkout(rules, clone=Path(".snakemake/warpath")):
    """The folder of the repository in which `rules`, a folder as Snakemake describes it, is workflow/rules."""
    import git

    if isinstance(rules, LocalSourceFile):
        return Path(rules.get_path_or_uri(secret_free=True)).resolve().parents[1]
    if isinstance(rules, HostingProviderFile):
        repository = rules.hosted_repo.repo
    elif isinstance(rules, LocalGitFile):
        repository = git.Repo(rules.repo_path)
    else:
        place = rules.get_path_or_uri(secret_free=True)
        raise WorkflowError(f"warpath: {place}: a module needs the whole repository: name a checkout, or use github()")
    check_out(repository, repository.commit(rules.ref).hexsha, clone)
    return clone.resolve()


def check_out(repository, commit, clone):
    """Clone the repository unless that is done, and check out this commit."""
    import git

    if not clone.exists():
        git.Repo.clone_from(repository.common_dir, clone, no_checkout=True)
    cloned = git.Repo(clone)
    if not (clone / "workflow").exists() or cloned.head.commit.hexsha != commit:
        cloned.git.fetch("--tags", "--force", repository.common_dir, "refs/heads/*:refs/remotes/origin/*")
        cloned.git.checkout("--force", "--detach", commit)


sys.path.insert(0, str(checkout(workflow.current_basedir) / "workflow"))

from warpath.base import variables, errors, places, settings
from warpath.lifetime import module

with errors.one_line():
    variables.check()
    USE = module.use(workflow, checkout(workflow.current_basedir))
