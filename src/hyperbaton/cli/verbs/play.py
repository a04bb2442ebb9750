"""`hyperbaton play`: a page on this computer on which words are moved and translators watched."""

from __future__ import annotations

import argparse
import os
import secrets
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.base.options import port
from hyperbaton.cli.terminal.streams import Stopped, say, settle
from hyperbaton.language.languages import parse_pair

SHIPPED = ("bundled", "steered(mode=robust)", "steered(mode=faithful)")
"""The systems where none is named: the page shows the first, the others at a click."""
PATIENCE = 3.0
"""Seconds that a system has to end its work after Ctrl-C; one that hangs is left behind."""
DESCRIPTION = """\
Open a page on which you move the words of a sentence and watch what translators make of it. The
page runs on this computer only; the link that is printed holds a token, and nobody gets in without
it. Ctrl-C ends it."""
EXAMPLES = """\
  hyperbaton play
  hyperbaton play --system bundled --system gloss -l en-fr
  hyperbaton play --system apertium:en-es -l en-es --no-open
  hyperbaton play --port 8100 --runs studies
  hyperbaton play --port 8100 --host-name hub.example.org --no-open

Put a link that the page copied at the end of the command to open the same sentence again after
the page was closed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The systems, the languages, and where the page is."""
    parser.add_argument("link", nargs="?", help="a link that the page copied, to open it again")
    parser.add_argument(
        "--system",
        dest="systems",
        action="append",
        default=[],
        metavar="SYSTEM",
        help="repeat to see several side by side (default: bundled, and steered to robust and to "
        "faithful at a click; see: hyperbaton ls systems)",
    )
    parser.add_argument(
        "-l",
        "--languages",
        default="en-de",
        metavar="SRC-TGT",
        help="to begin with; the page can change them (default: en-de)",
    )
    parser.add_argument(
        "--port", type=port, default=0, metavar="N", help="default: one that is free"
    )
    parser.add_argument(
        "--host-name",
        dest="hosts",
        action="append",
        default=[],
        metavar="HOST",
        help="a name by which a proxy shows the page (repeat), as the browser's address has it, "
        "such as hub.example.org or localhost:9000",
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the browser")
    parser.add_argument(
        "--runs",
        type=Path,
        default=Path("runs"),
        metavar="DIR",
        help="the folder of studies that the page lists and starts (default: runs)",
    )
    parser.add_argument("--no-cache", action="store_true", help="do not read or store translations")


def run(args: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    pair = parse_pair(args.languages)
    fragment = _fragment(args.link)
    need("starlette", "play")
    need("uvicorn", "play")
    from hyperbaton.play.guard import host_name

    hosts = tuple(map(host_name, args.hosts))
    from hyperbaton.play.desk import Desk, Judge
    from hyperbaton.play.runs import Runs
    from hyperbaton.play.server import Playground, study_routes
    from hyperbaton.play.serving import listen, serve

    systems = tuple(dict.fromkeys(args.systems)) or SHIPPED
    runs = Runs(args.runs, systems)
    token = secrets.token_urlsafe(16)
    with listen(args.port) as socket:
        judge = Judge()
        desks = {system: Desk(system, not args.no_cache, judge) for system in systems}
        off = () if args.systems else SHIPPED[1:]
        play = Playground(desks, pair, off, routes=study_routes(runs))
        port_number = socket.getsockname()[1]
        link = f"http://127.0.0.1:{port_number}/{token}/{fragment}"
        print(link, flush=True)
        for host in hosts:
            say(f"behind {host}: add {token}/ to the address that leads to port {port_number}")
        say("the page is open until you press Ctrl-C")
        code = 0
        try:
            serve(play, socket, token, None if args.no_open else link, say, hosts)
        except Stopped as stop:
            say(f"stopped by {stop}")
            code = 128 + stop.number
        except KeyboardInterrupt:
            pass  # the way to end it
        finally:
            play.close()
            runs.close()
    if not play.ended(PATIENCE):
        # A thread inside a model's machine code would take the interpreter down as it ends.
        settle()
        os._exit(code)
    return code


def _fragment(link: str | None) -> str:
    """What a copied link says of the page, without the old address."""
    if link is None:
        return ""
    _, mark, state = link.partition("#")
    if not mark:
        raise HyperbatonError("the link holds no sentence (no #): copy it from the page once more")
    return f"#{state}"
