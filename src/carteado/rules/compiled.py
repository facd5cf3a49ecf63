"""The only place that names numba: `rule` compiles a function, `bind` compiles a template for one game.

Compiled code is kept in the user's cache folder. Numba itself would look at the function's own file alone, and so would
go on playing an old rule that another file inlined. So each source has a folder named after its content and that of all
it imports of this package.
"""

import hashlib
import os
import re
import stat
import sys
import tempfile
import types
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary, ll
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent.parent
IMPORTS = re.compile(r"^\s*(?:from|import)\s+(carteado[\w.]*)(?:\s+import\s+(\([^)]*\)|[^\n]*))?", re.MULTILINE)
INTERPRETED = bool(numba.config.DISABLE_JIT)
BOUNDS_CHECKED = INTERPRETED or bool(numba.config.BOUNDSCHECK)


def cache_folder() -> Path:
    """Where compiled code is kept; bounds-checked code has a folder of its own."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    kind = "checked" if BOUNDS_CHECKED else "compiled"
    folder = Path(home) / "carteado" / kind
    try:
        if not folder.is_absolute():
            raise FileNotFoundError(home)
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(folder)
    except OSError:
        folder = spare_folder() / kind
        folder.mkdir(exist_ok=True)
    return folder


def spare_folder() -> Path:
    """Among the temporary files, for who has no home that can be written to: the same one each time, if it is his
    alone, for what lies there is run."""
    user = getattr(os, "getuid", lambda: 0)()
    folder = Path(tempfile.gettempdir()) / f"carteado-{user}"
    with suppress(OSError):
        folder.mkdir(0o700, exist_ok=True)
        found = folder.lstat()
        if stat.S_ISDIR(found.st_mode) and found.st_uid == user and not found.st_mode & 0o077:
            return folder
    return Path(tempfile.mkdtemp(prefix="carteado-"))


CACHE_FOLDER = cache_folder()
if INTERPRETED:
    np.seterr(over="ignore")  # compiled integers wrap silently


@cache
def imported_by(file: Path) -> frozenset[Path]:
    """The sources of this package that a source imports."""
    found: set[Path] = set()
    for module, names in IMPORTS.findall(file.read_text(encoding="utf-8")):
        base = PACKAGE.parent.joinpath(*module.split("."))
        submodules = [base / f"{name}.py" for name in re.findall(r"\w+", names)]
        found.update(p for p in (base.with_suffix(".py"), *submodules) if p.is_file())
    return frozenset(found)


@cache
def folder_of(*files: Path) -> str:
    """The cache folder for code made of these sources and all that they import."""
    sources, new = set(files), set(files)
    while new:
        new = {source for file in new for source in imported_by(file)} - sources
        sources |= new
    digest = hashlib.sha256()
    for source in sorted(sources):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return str(CACHE_FOLDER / digest.hexdigest()[:16])


class Inner(JITCodeLibrary):  # type: ignore[misc]
    """The code of a rule as its callers take it in: they optimise it with their own and make it machine code, so doing
    that here would be done twice. It is half of the time that compiling takes."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """What sets a function's environment in its machine code: here there is none."""
        return self

    def set_env(self, name: str, env: object) -> None:
        pass


class InnerCompiler(Compiler):  # type: ignore[misc]
    def __init__(self, typing: Any, target: Any, library: Any, *args: Any) -> None:
        super().__init__(typing, target, Inner(target.codegen(), "rule"), *args)


class Rule(CPUDispatcher):  # type: ignore[misc]
    """A function that compiled code calls. What Python needs besides, its own way in and a place on disk, takes long to
    compile, and hardly any rule is ever called from Python: so that is made when it is."""

    def __init__(self, function: Callable[..., Any]) -> None:
        lean = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "boundscheck": None}
        options = {"nopython": True, "nogil": True, **lean}
        super().__init__(function, targetoptions=options, pipeline_class=InnerCompiler)

    def __call__(self, *args: Any) -> Any:
        return self.for_python(*args)

    @cached_property
    def for_python(self) -> Callable[..., Any]:
        return kept(self.py_func, Path(self.py_func.__code__.co_filename))


def rule(function: F) -> F:
    """Compiles a rule: no Python inside, no lock held."""
    return function if INTERPRETED else cast(F, Rule(function))


@rule
def _go_on() -> None:
    pass


# Who computes for long says this again and again: whoever else waits for this core goes first.
give_way: Callable[[], Any] = _go_on
if hasattr(os, "sched_yield"):
    give_way = os.sched_yield if INTERPRETED else numba.types.ExternalFunction("sched_yield", numba.int32())


class Loaded(JITCodeLibrary):  # type: ignore[misc]
    """Code from the disk. The form in which other compiled code would take it in has megabytes, and hardly any is ever
    asked for it: until then it stays packed."""

    _packed: bytes
    _shared_module: Any

    def pack(self) -> None:
        self._packed, self._shared_module = self._shared_module.as_bitcode(), None

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = ll.parse_bitcode(self._packed)
        return self._shared_module


class Shelf(FunctionCache):  # type: ignore[misc]
    """Compiled code on disk. Nobody plays the less for it: what finds no room there is compiled again by the next
    process, and so is what was half written when the power failed."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            found = super().load_overload(sig, target_context)
            if found is not None:
                found.library.__class__ = Loaded
                found.library.pack()
            return found
        except Exception:  # half a file can be anything
            with suppress(OSError):
                self.flush()  # else nothing new is put in its place
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):
            super().save_overload(sig, data)


def kept(function: F, *sources: Path) -> F:
    """Compiles a function that Python calls, and keeps it on disk for the next process."""
    numba.config.CACHE_DIR = folder_of(*sources)  # read when it gets its place there
    compiled = numba.njit(nogil=True)(function)
    with suppress(RuntimeError):  # not even a folder can be made
        compiled._cache = Shelf(function)
    return cast(F, compiled)


def bind(template: types.ModuleType, name: str, rules: dict[str, Callable[..., Any]]) -> types.ModuleType:
    """Compiles the functions of a template for one game, so that the next process finds them on disk.

    The template's functions use names (`legal`, `play` …) that it does not define; `rules` supplies them. The code is
    bound to a module of its own for each game, and made of the template and of every source of those rules.
    """
    sources = Path(template.__file__ or ""), *sorted({Path(f.__code__.co_filename) for f in rules.values()})
    wiring = " ".join(f"{key}={f.__module__}.{f.__qualname__}" for key, f in sorted(rules.items()))
    wired = hashlib.sha256(wiring.encode()).hexdigest()[:8]  # the same sources may be tied together otherwise
    label = f"{template.__name__.rpartition('.')[2]}_{name.replace('-', '_')}_{wired}"
    module = types.ModuleType(f"carteado_bound.{label}")
    sys.modules[module.__name__] = module  # numba looks the module up when it loads from its cache
    names = module.__dict__
    own = [f for f in vars(template).values() if getattr(f, "__module__", "") == template.__name__ and callable(f)]
    names.update({k: v for k, v in vars(template).items() if not k.startswith("__")})
    names.update(rules)
    for function in own:  # in the order of the file: callees stand first
        bound = types.FunctionType(function.__code__, names, function.__name__)
        bound.__qualname__, bound.__module__ = f"{label}_{function.__name__}", module.__name__
        names[function.__name__] = rule(bound) if isinstance(function, Rule) else kept(bound, *sources)
    return module
