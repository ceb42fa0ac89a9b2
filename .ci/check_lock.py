# SPDX-License-Identifier: Apache-2.0
"""Is the lock honest? Compares pyproject.toml, .ci/requirements.txt and this environment.

Offline. Every requirement of the project is locked to a version that it admits, every locked
package has hashes and is needed by something, and what is installed is what is locked.
"""

import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
EXTRA = "dev"


def required(project: dict, extra: str) -> list[Requirement]:
    """What pyproject.toml asks for: the base and an extra, its own extras resolved."""
    found = [Requirement(line) for line in project["dependencies"]]
    for line in project["optional-dependencies"][extra]:
        requirement = Requirement(line)
        if requirement.name == project["name"]:
            for inner in requirement.extras:
                found += required({**project, "dependencies": []}, inner)
        else:
            found.append(requirement)
    return found


def locked(text: str) -> tuple[dict[str, Requirement], list[str]]:
    """The lock's requirements by name, and the faults of its form."""
    found, faults = {}, []
    for entry in re.split(r"\n(?=\S)", text.strip()):
        if entry.startswith("#"):
            continue
        requirement = Requirement(re.sub(r"\\\n|--hash=\S+", " ", entry).strip())
        if "--hash=sha256:" not in entry:
            faults.append(f"{requirement.name} has no hash")
        if not str(requirement.specifier).startswith("=="):
            faults.append(f"{requirement.name} is not pinned to one version")
        found[canonicalize_name(requirement.name)] = requirement
    if "://" in text:
        faults.append("an address stands in the lock")
    return found, faults


def faults_of(wanted: list[Requirement], lock: dict[str, Requirement]) -> list[str]:
    """What is wrong between project, lock and environment, one line each."""
    faults, needed, missing, queue = [], set(), set(), []
    for requirement in wanted:
        pin = lock.get(canonicalize_name(requirement.name))
        version = str(pin.specifier)[2:] if pin else ""
        if pin is None:
            faults.append(f"{requirement} is not locked")
        elif not requirement.specifier.contains(version, prereleases=True):
            faults.append(f"{requirement} is asked for, {version} is locked")
        else:
            queue.append(requirement)
    while queue:
        requirement = queue.pop()
        name = canonicalize_name(requirement.name)
        if (name, *sorted(requirement.extras)) in needed:
            continue
        needed.add((name, *sorted(requirement.extras)))
        try:
            installed = distribution(name)
        except PackageNotFoundError:
            missing.add(name)
            faults.append(f"{name} is not installed")
            continue
        for line in installed.requires or []:
            inner = Requirement(line)
            environments = [{"extra": extra} for extra in (*requirement.extras, "")]
            if inner.marker is None or any(map(inner.marker.evaluate, environments)):
                queue.append(inner)
    names = {entry[0] for entry in needed}
    here = {
        name: pin
        for name, pin in lock.items()
        if pin.marker is None or pin.marker.evaluate(default_environment())
    }
    faults += [f"{name} is needed and not locked" for name in sorted(names - here.keys())]
    faults += [f"{name} is locked and not needed" for name in sorted(here.keys() - names)]
    for name in sorted((names & here.keys()) - missing):
        version, pinned = distribution(name).version, str(here[name].specifier)[2:]
        if version != pinned:
            faults.append(f"{name} {version} is installed, {pinned} is locked")
    return faults


def main() -> int:
    """Print every fault; 1 if there is one."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lock, faults = locked((ROOT / ".ci/requirements.txt").read_text())
    faults += faults_of(required(project, EXTRA), lock)
    for fault in faults:
        print(f"requirements: {fault}", file=sys.stderr)
    if faults:
        print("requirements: run `make lock`, then `make` again", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
