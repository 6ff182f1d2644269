"""`poolrummy`: every word of the help is a command, and an interrupt is no fault of the program."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

from poolrummy import cli


@pytest.mark.parametrize("word", cli.COMMANDS)
def test_every_word_that_help_lists_is_a_command(word: str) -> None:
    assert CliRunner().invoke(cli.app_of(word), ["--help"]).exit_code == 0


@pytest.mark.parametrize("word", cli.COMMANDS)
def test_help_leaves_line_breaks_to_the_terminal(word: str) -> None:
    for command in cli.app_of(word).registered_commands:
        assert command.help
        assert "\n" not in command.help.replace("\n\n", "")


def test_an_unknown_word_is_refused_with_the_nearest() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "poolrummy.cli", "replya"], capture_output=True, text=True, check=False
    )

    assert (found.returncode, found.stdout) == (2, "")
    assert "did you mean replay?" in found.stderr


@pytest.mark.parametrize("words", [("play", "close", "--operator", b"\xff", "--reason=x"), (b"\xe9",)])
def test_a_word_that_is_no_text_is_refused_before_anything_is_done(words: tuple[str | bytes, ...]) -> None:
    found = subprocess.run([sys.executable, "-m", "poolrummy.cli", *words], capture_output=True, text=True, check=False)

    assert (found.returncode, found.stdout) == (2, "")
    assert "is no text in UTF-8" in found.stderr
    assert "Traceback" not in found.stderr


def test_the_version_is_that_of_the_installed_distribution() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "poolrummy.cli", "--version"], capture_output=True, text=True, check=True
    )

    assert found.stdout == f"poolrummy {version('poolrummy')}\n"


def test_an_interrupt_while_a_command_is_loaded_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "app_of", interrupted)
    monkeypatch.setattr(sys, "argv", ["poolrummy", "run"])
    with pytest.raises(SystemExit) as ended:
        cli.main()

    assert ended.value.code == 130


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("fairness", "export", "--out", "/proc/none/x"), "/proc/none/x cannot be written"),
        (("rules", "list", "--profiles", "/proc/none"), "no such folder as /proc/none"),
        (("rules", "explain", "1.1", "--book", sys.executable), "the rulebook cannot be read"),
        (("rules", "explain", "99.9"), "name a paragraph such as 10.3"),
        (
            ("accept-rewind", "p00-a", "--operator=a", "--reason=b", "--keys=/proc", "--checkpoints=/proc/none"),
            "there is no folder /proc/none",
        ),
    ],
)
def test_what_cannot_be_used_is_named_and_ends_with_2(words: tuple[str, ...], why: str) -> None:
    found = CliRunner().invoke(cli.app_of(words[0]), words[1:], env={"COLUMNS": "200"})

    assert found.exit_code == 2
    assert why in found.output


def test_a_notary_that_cannot_write_its_folder_does_not_begin(tmp_path: Path) -> None:
    """It would go over events of which it kept no checkpoint."""
    (tmp_path / "file").write_bytes(b"")
    environment = {
        "POOLRUMMY_REDIS_URL": "redis://127.0.0.1:1/0",
        "POOLRUMMY_DATA_DIR": str(tmp_path),
        "POOLRUMMY_CHECKPOINTS_DIR": str(tmp_path / "file"),
    }
    found = CliRunner().invoke(cli.app_of("notary"), [], env=environment)

    assert found.exit_code == 2
    assert f"POOLRUMMY_CHECKPOINTS_DIR: the checkpoint folder {tmp_path / 'file'} cannot be written" in found.output
