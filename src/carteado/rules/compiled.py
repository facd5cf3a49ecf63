"""The only place that names numba: `rule` compiles a function, `bind` compiles a template for one game.

Compiled code is kept in the user's cache folder, in a folder named after the sources of every compiled room. So a
changed rule is never played from an old cache, not even one that another file inlined.
"""

import hashlib
import inspect
import os
import sys
import tempfile
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent.parent
COMPILED_ROOMS = ("rules", "bots")
INTERPRETED = bool(numba.config.DISABLE_JIT)
BOUNDS_CHECKED = INTERPRETED or bool(numba.config.BOUNDSCHECK)


def source_hash() -> str:
    """Names all that compiled code is made of: every source of the compiled rooms."""
    digest = hashlib.sha256()
    for room in COMPILED_ROOMS:
        for path in sorted((PACKAGE / room).rglob("*.py")):
            digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled code is kept; bounds-checked code has a folder of its own."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    checked = "-checked" if BOUNDS_CHECKED else ""
    folder = Path(home) / "carteado" / f"{source_hash()}{checked}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(folder)
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="carteado-"))
    return folder


CACHE_FOLDER = cache_folder()
numba.config.CACHE_DIR = str(CACHE_FOLDER)
if INTERPRETED:
    np.seterr(over="ignore")  # compiled integers wrap silently


def rule(function: F) -> F:
    """Compiles a rule: no Python inside, no lock held, kept on disk."""
    compiled: F = numba.njit(cache=True, nogil=True)(function)
    return compiled


def bind(template: types.ModuleType, name: str, source: object, rules: dict[str, Any]) -> types.ModuleType:
    """Compiles the functions of a template for one game, so that the next process finds them on disk.

    The template's functions use names (`legal`, `play` …) that it does not define; `rules` supplies them. Their code is
    bound to a module of its own for each game, named after the game and its source.
    """
    file = inspect.getsourcefile(source) if inspect.ismodule(source) or callable(source) else None
    stamp = hashlib.sha256(Path(file).read_bytes() if file else b"").hexdigest()[:8]
    label = f"{template.__name__.rpartition('.')[2]}_{name.replace('-', '_')}_{stamp}"
    module = types.ModuleType(f"carteado_bound.{label}")
    sys.modules[module.__name__] = module  # numba looks the module up when it loads from its cache
    names = module.__dict__
    own = [f for f in vars(template).values() if inspect.isfunction(f) and f.__module__ == template.__name__]
    names.update({k: v for k, v in vars(template).items() if not k.startswith("__")})
    names.update(rules)
    for function in own:  # in the order of the file: callees stand first
        bound = types.FunctionType(function.__code__, names, function.__name__)
        bound.__qualname__, bound.__module__ = f"{label}_{function.__name__}", module.__name__
        names[function.__name__] = rule(bound)
    return module
