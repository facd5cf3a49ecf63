"""The page's files, read once and kept in memory, packed where that helps.

What stands under /assets has a hash in its name and never changes; all else is asked for anew each time, and answered
with 304 while it is the same. An address without a file behind it is one of the page's own and gets the page.
"""

import gzip
import hashlib
import mimetypes
import re
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any, NamedTuple

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2"}
PACKED = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
FOR_EVER, ASK = "public, max-age=31536000, immutable", "no-cache"
SERVERS = ("api", "schema", "ws", "healthz", "metrics")  # first parts of addresses that are not the page's
START = "index.html"
UNZIPS = re.compile(r"(?:^|,)\s*(?:gzip|\*)\s*(?:$|,|;(?!\s*q\s*=\s*0(?:\.0*)?\s*(?:$|,)))", re.IGNORECASE)


def unzips(accepts: str) -> bool:
    """Whether one who accepts these encodings can be sent gzip; `q=0` is a refusal."""
    return UNZIPS.search(accepts) is not None


class File(NamedTuple):
    plain: bytes
    packed: bytes  # empty if it would not be smaller
    etag: str
    headers: list[tuple[bytes, bytes]]


def read(folder: Path, path: Path) -> File:
    data, name = path.read_bytes(), path.relative_to(folder).as_posix()
    kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    packed = gzip.compress(data, 9, mtime=0) if kind.startswith(PACKED) else b""
    etag = f'"{hashlib.sha256(data).hexdigest()[:24]}"'
    headers = {
        "content-type": f"{kind}; charset=utf-8" if kind.startswith("text/") else kind,
        "cache-control": FOR_EVER if name.startswith("assets/") else ASK,
        "etag": etag,
        "vary": "accept-encoding",
    }
    written = [(key.encode(), value.encode()) for key, value in headers.items()]
    return File(data, packed if len(packed) < len(data) else b"", etag, written)


class Page:
    def __init__(self, folder: Path | None) -> None:
        has_page = folder is not None and folder.is_dir()
        paths = sorted(path for path in folder.rglob("*") if path.is_file()) if folder and has_page else []
        self.files = {path.relative_to(folder).as_posix(): read(folder, path) for path in paths if folder}

    def found(self, path: str) -> File | None:
        """What belongs to an address; none if that is the server's own, or a file that is not there."""
        name = path.strip("/")
        if name in self.files:
            return self.files[name]
        first, last = name.partition("/")[0], name.rpartition("/")[2]
        return None if first in SERVERS or "." in last else self.files.get(START)

    async def send(self, file: File, headers: dict[str, str], send: Send) -> None:
        is_same = file.etag in headers.get("if-none-match", "")
        is_packed = bool(file.packed) and unzips(headers.get("accept-encoding", ""))
        body = b"" if is_same else file.packed if is_packed else file.plain
        more = [] if is_same else [(b"content-length", str(len(body)).encode())]
        if is_packed and not is_same:
            more.append((b"content-encoding", b"gzip"))
        await send({"type": "http.response.start", "status": 304 if is_same else 200, "headers": file.headers + more})
        await send({"type": "http.response.body", "body": body})
