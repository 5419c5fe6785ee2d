"""A front end on one side, a player of a server on the other."""

import io
import os
import sys
from collections.abc import AsyncIterator

import chess
import pytest
import structlog
import trio
import typer

from game_masters.chess import GAME
from game_masters.chess.uci_front_end import UCI
from game_masters.commands.engine_run import EngineSeat, be_engine, lines_of, protocol_for, write_line
from game_masters.go import GAME as GO
from game_masters.go.gtp_front_end import GTP
from game_masters.tic_tac_toe import GAME as FIVE
from tests.game_masters.programs import Opens
from ugs.peer import Peer

USUAL = GAME.choose_options({})


def test_each_game_has_its_protocol() -> None:
    assert protocol_for(GAME, None) is protocol_for(GAME, "uci") is UCI
    assert protocol_for(GO, None) is GTP
    with pytest.raises(typer.BadParameter, match="go is not played by front ends; allowed: chess, chess-variant"):
        protocol_for(GO, "uci")
    with pytest.raises(typer.BadParameter, match="tic-tac-toe is not played by front ends; allowed: go, chess"):
        protocol_for(FIVE, None)
    with pytest.raises(typer.BadParameter, match="'xboard' is no protocol of front ends; allowed: gtp, uci"):
        protocol_for(GAME, "xboard")


async def test_lines_come_whole() -> None:
    there, here = os.pipe()
    os.write(here, b"uci\r\nisready\n\xffquit")
    os.close(here)
    with trio.fail_after(60):
        assert [line async for line in lines_of(there)] == ["uci", "isready", "\ufffdquit"]
    os.close(there)


async def test_a_closed_input_is_one_that_has_ended() -> None:
    there, here = os.pipe()
    os.close(there)
    os.close(here)
    with trio.fail_after(60):
        assert [line async for line in lines_of(there)] == []


def test_an_output_that_cannot_write_a_letter_gets_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "ascii"))
    write_line("info string zo\u00eb \u2654")
    assert written.getvalue() == b"info string zo\\xeb \\u2654\n"
    monkeypatch.setattr(sys, "stdout", None)
    write_line("nobody reads this")


async def test_a_server_that_is_not_there_is_named(autojump_clock: object) -> None:
    said: list[str] = []

    async def lines() -> AsyncIterator[str]:
        yield "position startpos"
        yield "go"
        await trio.sleep(5)

    async def dial() -> Peer:
        raise OSError("no server listens there")

    seat = EngineSeat(GAME, USUAL, "ann")
    with trio.fail_after(100):
        assert await be_engine(UCI, seat, dial, lines(), said.append, structlog.get_logger()) == 0
    assert said == [
        "info string waiting for an opponent on the server",
        "info string no connection to the server, which is tried again: no server listens there",
    ]


async def test_a_game_over_the_wire(opens_server: Opens) -> None:
    """Three moves of each side, with the real client; then the interface quits."""
    server = opens_server(move_timeout_s=1000)
    server.starts("master", "chess", "--id", "m")
    server.starts("bot", "chess", "--nick", "bob", "--bot", "search", "--no-state", "--seed", "1")
    board = chess.Board()
    send, receive = trio.open_memory_channel[str](100)
    said, news = trio.open_memory_channel[str](1000)

    async def lines() -> AsyncIterator[str]:
        async for line in receive:
            yield line

    async def best(words: str) -> str:
        send.send_nowait(f"position startpos{words}")
        send.send_nowait("go")
        async for line in news:
            if line.startswith("bestmove"):
                return line.split()[1]
        raise AssertionError

    async def dial() -> Peer:
        return Peer(server.shell.connects().stream)

    async with trio.open_nursery() as nursery:
        seat = EngineSeat(GAME, USUAL, "ann")
        nursery.start_soon(be_engine, UCI, seat, dial, lines(), said.send_nowait, structlog.get_logger())
        with trio.fail_after(60):
            answer = await best("")
            if answer == "(none)":  # White is ours
                board.push_uci("e2e4")
                answer = await best(" moves e2e4")
            board.push_uci(answer)
            for _ in range(2):
                board.push(next(iter(board.legal_moves)))
                answer = await best(f" moves {' '.join(move.uci() for move in board.move_stack)}")
                board.push_uci(answer)
            send.send_nowait("quit")
            (line,) = await server.log.tells("game ended")
            assert line["outcomes"]["bob"] == "won"
            nursery.cancel_scope.cancel()
