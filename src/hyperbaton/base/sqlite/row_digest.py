"""A digest that a row of a database carries: a damaged row is known for one."""

from __future__ import annotations

from hashlib import blake2b

__all__ = ["SIZE", "RowDigest", "row_digest"]

SIZE = 8
"""Bytes: one damage in 10¹⁹ would not be seen."""


class RowDigest:
    """The digests of the rows that belong to one owner, such as the signature of a system.

    >>> RowDigest("copy|en-de")(b"key", b"a red house").hex()
    'e17066b56c76cdc8'
    """

    def __init__(self, owner: str | bytes) -> None:
        name = owner.encode(errors="surrogatepass") if isinstance(owner, str) else owner
        self._begun = blake2b(name + b"\0", digest_size=SIZE)

    def __call__(self, key: bytes, text: bytes | None, note: bytes = b"") -> bytes:
        """The digest of a row: what it is about, what it says (nothing is not empty), a note."""
        whole = self._begun.copy()
        # What is damaged may be missing.
        sizes = b"%d %d " % (-1 if text is None else len(text), len(note or b""))
        whole.update(b"".join((sizes, key or b"", text or b"", note or b"")))
        return whole.digest()


def row_digest(owner: str | bytes, key: bytes, text: bytes | None, note: bytes = b"") -> bytes:
    """The digest of a single row; also a function in the SQL of a database."""
    return RowDigest(owner)(key, text, note)
