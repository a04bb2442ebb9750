"""A board as HTML: the question, its answer, and a table whose cells lead to sentences."""

from __future__ import annotations

from collections.abc import Mapping

from hyperbaton.base.wording import amount
from hyperbaton.report.board import Board, Cell, Column
from hyperbaton.report.page.markup import attribute, prose


def board_html(board: Board, terms: Mapping[str, str]) -> str:
    """The answers, then every system by every measure."""
    answers = "".join(f"<li>{prose(one, terms)}</li>" for one in board.answers)
    head = "".join(_head(column, terms) for column in board.columns)
    kinds = "".join(
        f'<th scope="colgroup" colspan="{size}">{prose(kind)}</th>' for kind, size in _kinds(board)
    )
    body = "".join(_row(system, board) for system in board.systems)
    marks = "".join(
        f"<li><b>{prose(system)}</b> † {prose(why)}</li>" for system, why in board.marks.items()
    )
    told = (
        f'<details class="marks"><summary>† What the mark means</summary><ul>{marks}</ul></details>'
    )
    return (
        f'<section class="board" id="board" aria-label="Board"><p class="asked">'
        f'{prose(board.question)}</p><ul class="told">{answers}</ul>'
        '<div class="grid" tabindex="0" role="region" aria-label="All systems by all measures">'
        f'<table><thead><tr><td rowspan="2"></td>{kinds}</tr><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
        '<p class="note">The number before a value is its rank: systems whose difference is not '
        "certain share one. In brackets: 95 % interval. A value leads to its sentences.</p>"
        f"{told if board.marks else ''}</section>"
    )


def _kinds(board: Board) -> list[tuple[str, int]]:
    """The columns of one kind that stand beside one another, and how many they are."""
    found: list[tuple[str, int]] = []
    for column in board.columns:
        if found and found[-1][0] == column.kind:
            found[-1] = (column.kind, found[-1][1] + 1)
        else:
            found.append((column.kind, 1))
    return found


def _head(column: Column, terms: Mapping[str, str]) -> str:
    best = "lowest first" if column.lower else "highest first"
    return (
        f'<th scope="col">{prose(column.label, terms)}'
        f"<small>{prose(column.plain)} ({best})</small></th>"
    )


def _row(system: str, board: Board) -> str:
    why = board.marks.get(system, "")
    mark = f' <abbr title="{attribute(why)}">†</abbr>' if why else ""
    cells = "".join(
        _cell(column.cells.get(system), "%" if column.share else "") for column in board.columns
    )
    return f'<tr><th scope="row" dir="auto">{prose(system)}{mark}</th>{cells}</tr>'


def _cell(cell: Cell | None, unit: str) -> str:
    if cell is None:
        return '<td class="number">–</td>'
    said, ends = amount(*cell.value, unit)
    linked = f'<a href="{attribute(cell.link)}">{said}</a>' if cell.link else said
    range_ = f"<small>{ends}</small>" if cell.value[1] == cell.value[1] else ""
    own = f"<small>by itself {amount(*cell.own, unit)[0]}</small>" if cell.own else ""
    first = " first" if cell.rank == 1 else ""
    return f'<td class="number{first}"><i>{cell.rank}</i> {linked}{range_}{own}</td>'
