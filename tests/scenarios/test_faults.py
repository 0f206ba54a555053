"""What is said of scenario files that are wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

# What the command says of scenario files that are wrong, and where.

HEAD = "format: gwent/standard\n"
BOARD = "format: deckmaster/standard\ndeck: ['1']\n"
TWO_IN_THE_PILE = "players: {A: {hand: [dun_banner_medic], discard: [ves, ballista]}}\n"
PLAY_THE_MEDIC = "moves: [{player: A, play: dun_banner_medic"


@dataclass(frozen=True)
class Wrong:
    """A wrong file, the place of its fault, and what is said of it."""

    text: str
    place: tuple[int, int]
    message: str
    help: str | None = None


WRONG = {
    "no_yaml": Wrong(
        HEAD + "moves:\n  - {player: A, pass: true\n",
        (4, 1),
        "a `,` or `}` is missing",
    ),
    "no_mapping": Wrong(
        "- gwent\n", (1, 1), "a scenario is a mapping with `format` and `players`"
    ),
    "no_format": Wrong(
        "turn: A\n", (1, 1), "`format` is missing", "Write `format: gwent/standard`"
    ),
    "empty_document": Wrong(
        f"{HEAD}title: a\n---\n# none\n---\n{HEAD}title: b\n",
        (5, 1),
        "a document of the file is empty",
        "Remove its `---`, or write the scenario",
    ),
    "no_title_among_several": Wrong(
        f"{HEAD}title: a\n---\n{HEAD}turn: A\n",
        (4, 1),
        "`title` is missing, which each of several scenarios needs",
        "Write `title: the_medic_finds_nobody`, say",
    ),
    "title_given_twice": Wrong(
        f"{HEAD}title: a\n---\n{HEAD}title: a\n",
        (5, 8),
        "the scenario of line 2 has the same title",
        "Give each one of its own",
    ),
    "title_that_begins_with_a_space": Wrong(
        f"{HEAD}title: ' a'\n",
        (2, 8),
        "` a` is not a title: words on one line",
    ),
    "place_off_the_board": Wrong(
        BOARD + "moves: [{player: A, at: [1, 3]}]\n",
        (3, 29),
        "`3` is too large, the maximum is 2",
    ),
    "row_without_a_column": Wrong(
        BOARD + "moves: [{player: A, at: [1]}]\n",
        (3, 25),
        "too few entries: found 1, at least 2 needed",
    ),
    "board_without_its_ninth_space": Wrong(
        "format: deckmaster/standard\nboard: [1, '', '', '', '', '', '', '']\n",
        (2, 9),
        "expected text, found `1`",
    ),
    "unknown_format": Wrong(
        "format: gwent/standart\n",
        (1, 9),
        "unknown format `gwent/standart`",
        "Did you mean `gwent/standard`?",
    ),
    "unknown_option": Wrong(
        HEAD + "options: {redraw: 3}\n",
        (2, 11),
        "unknown option `redraw`",
        "Did you mean `redraws`?",
    ),
    "wrong_value_of_an_option": Wrong(
        HEAD + "options: {gems: 9}\n", (2, 17), "`gems` is 1 to 5"
    ),
    "unknown_card": Wrong(
        HEAD + "players:\n  A:\n    hand: [ves, 2 blue_stripes_comando]\n",
        (4, 17),
        "unknown card `blue_stripes_comando`",
        "Did you mean `Blue Stripes Commando`?",
    ),
    "too_many_of_a_card": Wrong(
        HEAD + "players: {A: {deck: [1000 ghoul]}}\n",
        (2, 22),
        "`100` is too large, the maximum is 99",
    ),
    "too_many_cards_in_a_row": Wrong(
        HEAD + "players: {A: {close: [40 ghoul, 40 nekker]}}\n",
        (2, 22),
        "80 cards found, 48 have room",
    ),
    "card_is_no_text": Wrong(
        HEAD + "players: {A: {hand: [12]}}\n", (2, 22), "expected text, found `12`"
    ),
    "several_leaders": Wrong(
        HEAD + "players: {A: {faction: skellige, leader: Francesca}}\n",
        (2, 42),
        "`Francesca` could be several leaders",
        "Write `francesca_queen_of_dol_blathanna`, `francesca_the_beautiful`, "
        "`francesca_daisy_of_the_valley`, `francesca_pureblood_elf` or "
        "`francesca_hope_of_the_aen_seidhe`",
    ),
    "unknown_faction": Wrong(
        HEAD + "players: {A: {faction: monster hunters}}\n",
        (2, 24),
        "unknown faction `monster hunters`",
        "Did you mean `Monsters`?",
    ),
    "unknown_key": Wrong(
        HEAD + "players: {A: {cloze: [ves]}}\n",
        (2, 15),
        "unknown key `cloze`, did you mean `close`?",
    ),
    "unknown_player": Wrong(
        HEAD + "players: {C: {}}\n",
        (2, 14),
        "there is no player `C`",
        "It may be `A` or `B`",
    ),
    "unknown_player_at_a_table": Wrong(
        "format: gwent/free_for_all\nturn: D\n",
        (2, 7),
        "there is no player `D`",
        "It may be `A`, `B` or `C`",
    ),
    "unknown_player_of_a_team": Wrong(
        "format: gwent/two_vs_two\nexpect: {C: {total: 1}}\n",
        (2, 13),
        "there is no player `C`",
        "It may be `A`, `B`, `A1`, `B1`, `A2` or `B2`",
    ),
    "gems_of_a_player_of_a_team": Wrong(
        "format: gwent/two_vs_two\nplayers: {A1: {gems: 1}}\n",
        (2, 22),
        "`gems` is that of a team",
    ),
    "hand_of_a_team": Wrong(
        "format: gwent/two_vs_two\nplayers: {A: {hand: [ves]}}\n",
        (2, 21),
        "`hand` is that of a player",
    ),
    "no_statement": Wrong(
        "rule: medics\n" + HEAD,
        (1, 7),
        "`medics` is not a statement such as `gwent 1.6.2`",
    ),
    "two_things_in_a_move": Wrong(
        HEAD + "moves:\n  - {player: A, play: ves, pass: true}\n",
        (3, 5),
        "a move has one of `play`, `leader`, `pass`, `redraw`, `start`, `void`, "
        "found `play` and `pass`",
    ),
    "wrong_row": Wrong(
        HEAD + "players: {A: {siege: [ves]}}\n",
        (2, 23),
        "`Ves` belongs in the close row",
    ),
    "no_card_of_a_row": Wrong(
        HEAD + "players: {A: {siege: [scorch]}}\n", (2, 23), "`Scorch` lies in no row"
    ),
    "no_card_of_a_slot": Wrong(
        HEAD + "players: {A: {row_specials: {close: ves}}}\n",
        (2, 37),
        "`Ves` cannot lie beside a row",
    ),
    "no_weather": Wrong(
        HEAD + "weather: [clear_weather]\n",
        (2, 11),
        "`Clear Weather` is no weather that stays",
    ),
    "weather_twice": Wrong(
        HEAD + "weather: [biting_frost, biting_frost]\n",
        (2, 25),
        "`Biting Frost` lies there already",
    ),
    "a_unit_is_no_weather": Wrong(
        HEAD + "weather: [ves]\n", (2, 11), "`Ves` is no weather that stays"
    ),
    "partners_of_one_faction": Wrong(
        "format: gwent/two_vs_two\n"
        "players: {B1: {faction: skellige}, B2: {faction: skellige}}\n",
        (2, 50),
        "B1 and B2 are partners, and both are Skellige",
        "Partners have different factions (gwent 5.2)",
    ),
    "berserker_beside_ermion": Wrong(
        HEAD + "players: {A: {faction: skellige, ranged: [ermion]}, "
        "B: {faction: skellige, ranged: [ermion, young_berserker]}}\n",
        (2, 93),
        "a Berserker beside Mardroeme is turned already (gwent 1.6.10)",
        "Write `transformed_young_vildkaarl`, or `side_deck: []` if there is none left",
    ),
    "berserker_beside_the_card": Wrong(
        HEAD + "players: {A: {close: [berserker], row_specials: {close: mardroeme}}}\n",
        (2, 23),
        "a Berserker beside Mardroeme is turned already (gwent 1.6.10)",
        "Write `transformed_vildkaarl`, or `side_deck: []` if there is none left",
    ),
    "leader_of_another_faction": Wrong(
        HEAD + "players: {A: {faction: monsters, leader: king_bran}}\n",
        (2, 42),
        "`King Bran, The Unifier` is a leader of Skellige (gwent 1.1.2)",
    ),
    "neutral_deck": Wrong(
        HEAD + "players: {A: {faction: neutral}}\n",
        (2, 24),
        "no deck is neutral (gwent 1.1.1)",
    ),
    "passive_leader_that_was_used": Wrong(
        HEAD + "players: {A: {leader: king_bran, leader_used: true}}\n",
        (2, 47),
        "`King Bran, The Unifier` is passive and never used (gwent 1.9.1)",
    ),
    "no_leader_that_was_used": Wrong(
        HEAD + "players: {A: {leader_used: true}}\n", (2, 28), "there is no `leader`"
    ),
    "voided_by_nobody": Wrong(
        "format: gwent/free_for_all\nplayers: {A: {leader: king_bran, voids: B}}\n",
        (2, 41),
        "only The White Flame voids a leader (gwent 1.9.5)",
    ),
    "a_table_that_is_over": Wrong(
        "format: gwent/free_for_all\nplayers: {B: {points: 4}}\n",
        (2, 23),
        "with 4 points the game is over (gwent 4.4)",
    ),
    "dealt_without_a_deck": Wrong(
        HEAD + "deal: true\nplayers: {A: {faction: skellige}}\n",
        (3, 14),
        "A has no `deck` to be dealt from",
        "Give A a `deck`, its top card first",
    ),
    "dealt_without_players": Wrong(
        HEAD + "deal: true\n",
        (2, 7),
        "A has no `deck` to be dealt from",
        "Give A a `deck`, its top card first",
    ),
    "a_match": Wrong(
        "format: gwent/tournament\n",
        (1, 9),
        "`gwent/tournament` is played in several games, a scenario is one of them",
        "Write `format: gwent/advanced`, the format of its games",
    ),
    "a_move_of_nobody": Wrong(
        HEAD + "moves: [{player: C, pass: true}]\n",
        (2, 18),
        "there is no player `C`",
        "It may be `A` or `B`",
    ),
    "forbidden_for_no_reason": Wrong(
        HEAD + "moves: [{player: A, pass: true, forbidden: 3}]\n",
        (2, 44),
        "expected `true` or the reason of the refusal, in quotes",
    ),
    "nobody_to_move": Wrong(
        HEAD + "players: {A: {passed: true}, B: {passed: true}}\n",
        (2, 10),
        "all players have passed",
    ),
    "turn_of_one_who_has_passed": Wrong(
        HEAD + "players: {A: {passed: true}}\nturn: A\n", (3, 7), "A has passed already"
    ),
    "a_board_before_the_deal": Wrong(
        HEAD + "deal: true\nplayers: {A: {hand: [ves]}}\n",
        (3, 21),
        "`hand` cannot be given where the game is dealt",
    ),
    "weather_before_the_deal": Wrong(
        HEAD + "deal: true\nweather: [biting_frost]\n",
        (3, 10),
        "`weather` cannot be given where the game is dealt",
    ),
    "not_in_the_hand": Wrong(
        HEAD + "players: {A: {hand: [yaevinn]}}\nmoves: [{player: A, play: ves}]\n",
        (3, 27),
        "A cannot play Ves: it is not in the hand",
        "Legal moves: pass; play Yaevinn in the close row; "
        "play Yaevinn in the ranged row",
    ),
    "another_row": Wrong(
        HEAD + "players: {A: {hand: [ves]}}\n"
        "moves: [{player: A, play: ves, row: siege}]\n",
        (3, 27),
        "A cannot play Ves in the siege row: it belongs in the close row",
        "Legal moves: pass; play Ves in the close row",
    ),
    "row_left_open": Wrong(
        HEAD + "players: {A: {hand: [yaevinn]}}\nmoves: [{player: A, play: yaevinn}]\n",
        (3, 27),
        "`play Yaevinn` is not clear: there are 2 ways",
        "Say which: play Yaevinn in the close row; play Yaevinn in the ranged row",
    ),
    "not_the_players_turn": Wrong(
        HEAD + "moves: [{player: B, pass: true}]\n",
        (2, 27),
        "B cannot pass: it is the turn of A",
    ),
    "after_the_end": Wrong(
        HEAD
        + "options: {gems: 1}\n"
        + "players: {A: {passed: true}}\n"
        + "moves: [{player: B, pass: true}, {player: A, pass: true}]\n",
        (4, 52),
        "A cannot pass: the game is over",
    ),
    "passive_leader": Wrong(
        HEAD
        + "players: {A: {leader: king_bran}}\nmoves: [{player: A, leader: true}]\n",
        (3, 29),
        "A cannot use the leader: the leader is passive",
        "Legal moves: pass",
    ),
    "choice_left_out": Wrong(
        HEAD + TWO_IN_THE_PILE + PLAY_THE_MEDIC + "}]\n",
        (3, 9),
        "A has to choose the unit that the medic brings back",
        "Add `choose` to this move, one of: "
        "Ves in the close row; Ballista in the siege row",
    ),
    "forbidden_choice": Wrong(
        HEAD + TWO_IN_THE_PILE + PLAY_THE_MEDIC + ", choose: [scorch]}]\n",
        (3, 54),
        "Scorch cannot be chosen: it is not in the discard pile",
        "Possible: Ves in the close row; Ballista in the siege row",
    ),
    "choice_of_the_only_unit": Wrong(
        HEAD
        + "players: {A: {hand: [decoy], close: [ves, vernon_roche]}}\n"
        + "moves: [{player: A, play: decoy, choose: [vernon_roche]}]\n",
        (3, 43),
        "Vernon Roche cannot be chosen: it is a hero",
        "Possible: Ves in the close row",
    ),
    "choice_of_a_player_for_a_unit": Wrong(
        HEAD + TWO_IN_THE_PILE + PLAY_THE_MEDIC + ", choose: [B]}]\n",
        (3, 54),
        "B cannot be chosen: a card is to be chosen",
        "Possible: Ves in the close row; Ballista in the siege row",
    ),
    "choice_of_no_word": Wrong(
        HEAD + TWO_IN_THE_PILE + PLAY_THE_MEDIC + ", choose: [{}]}]\n",
        (3, 54),
        "an answer names a `card`, a `row` or a `player`",
        "Write `choose: [CARD]` or `{card: CARD, row: ROW}`",
    ),
    "choice_that_is_no_list": Wrong(
        HEAD + TWO_IN_THE_PILE + PLAY_THE_MEDIC + ", choose: ves}]\n",
        (3, 53),
        "expected a list, found `ves`",
        'Write `["ves"]`',
    ),
    "unclear_choice": Wrong(
        HEAD
        + "players: {A: {hand: [dun_banner_medic], discard: [olaf]}}\n"
        + PLAY_THE_MEDIC
        + ", choose: [olaf]}]\n",
        (3, 54),
        "the choice of Olaf is not clear: there are 2 ways",
        "Say which: Olaf in the close row; Olaf in the ranged row",
    ),
    "one_choice_too_many": Wrong(
        HEAD + TWO_IN_THE_PILE + PLAY_THE_MEDIC + ", choose: [ves, ballista]}]\n",
        (3, 59),
        "Ballista cannot be chosen: there is nothing left to choose",
        "An answer stands with the move after which its question comes",
    ),
    "chance_left_open": Wrong(
        HEAD
        + "players:\n  A: {faction: monsters, close: [fiend, griffin], passed: true}\n"
        + "moves: [{player: B, pass: true}]\n",
        (4, 9),
        "chance decides which unit A keeps as Monsters: Fiend or Griffin",
        "Say which: `random: [fiend]`, for example",
    ),
    "chance_of_a_medic": Wrong(
        HEAD
        + "players:\n  A: {hand: [dun_banner_medic], discard: [2 catapult, ballista]}\n"
        + "  B: {faction: nilfgaard, leader: emhyr_invader_of_the_north}\n"
        + PLAY_THE_MEDIC
        + "}]\n",
        (5, 9),
        "chance decides which unit A's medic brings back: Catapult or Ballista",
        "Say which: `random: [catapult]`, for example",
    ),
    "chance_of_skellige": Wrong(
        HEAD
        + "round: 2\nplayers:\n  A: {faction: skellige, passed: true, gems: 1, "
        + "close: [fiend], discard: [ves, birna_bran, udalryk]}\n"
        + "  B: {faction: nilfgaard}\nmoves: [{player: B, pass: true}]\n",
        (6, 9),
        "chance decides which unit returns to A as Skellige: "
        "Ves, Birna Bran, Udalryk or Fiend",
        "Say which: `random: [ves]`, for example",
    ),
    "chance_of_the_order": Wrong(
        HEAD
        + "options: {skellige_return: play}\nround: 2\nplayers:\n"
        + "  A: {faction: skellige, gems: 1, close: [cerys], "
        + "discard: [svanrige, war_longship]}\n"
        + "  B: {faction: nilfgaard, passed: true}\n"
        + "moves: [{player: A, pass: true}]\n",
        (7, 9),
        "chance decides which unit returns to A as Skellige: Svanrige or War Longship",
        "Say which: `random: [svanrige]`, for example",
    ),
    "chance_of_an_emperor": Wrong(
        HEAD
        + "players:\n"
        + "  A: {faction: nilfgaard, leader: emhyr_emperor_of_nilfgaard}\n"
        + "  B: {hand: [3 ghoul, ves]}\nmoves: [{player: A, leader: true}]\n",
        (5, 9),
        "chance decides which card A sees: Ves or Ghoul",
        "Say which: `random: [ves]`, for example",
    ),
    "chance_of_a_lot": Wrong(
        "format: gwent/free_for_all\noptions: {tied_starter: lot}\n"
        + "players:\n  A: {passed: true, close: [ves]}\n"
        + "  B: {passed: true, close: [ves], hand: [ves]}\n  C: {}\n"
        + "moves: [{player: C, pass: true}]\n",
        (7, 9),
        "chance decides which of the best scorers begins: A or B",
        "Say which: `random: [A]`, for example",
    ),
    "impossible_chance": Wrong(
        HEAD
        + "players:\n  A: {faction: monsters, close: [fiend, griffin], passed: true}\n"
        + "moves: [{player: B, pass: true, random: [ves]}]\n",
        (4, 42),
        "`ves` is no possible outcome of the random pick",
        "Chance decides which unit A keeps as Monsters: Fiend or Griffin",
    ),
    "unused_answer_of_a_move": Wrong(
        HEAD + "moves: [{player: A, pass: true, random: [ves]}]\n",
        (2, 42),
        "random answer `ves` was not used",
        "Remove it, or write it with the move after which chance decides",
    ),
    "unused_answer_of_the_scenario": Wrong(
        HEAD + "random: [ves]\nmoves: [{player: A, pass: true}]\n",
        (2, 10),
        "random answer `ves` was not used",
        "Remove it",
    ),
}


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("wrong")
    for name, wrong in WRONG.items():
        (folder / f"{name}.yaml").write_text(wrong.text, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "deckcheck", "scenario", ".", "--output-format", "json"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2, run.stderr
    entries = json.loads(run.stdout)["scenarios"]
    return {Path(entry["file"]).stem: entry for entry in entries}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_reported_where_it_is_wrong(
    name: str, entries: dict[str, dict[str, Any]]
) -> None:
    wrong = WRONG[name]
    line, column = wrong.place

    assert entries[name]["ok"] is False
    assert entries[name]["failures"] == []
    assert entries[name]["faults"] == [
        {
            "line": line,
            "column": column,
            "message": wrong.message,
            "help": wrong.help,
        }
    ]


def test_all_faults_of_a_file_are_reported_at_once(tmp_path: Path) -> None:
    text = HEAD + "players: {A: {hand: [Ballsta], gems: 7}}\nturn: C9x\n"
    (tmp_path / "three.yaml").write_text(text, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "deckcheck", "scenario", "three.yaml"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 2
    assert run.stdout == "1 scenario: 1 could not be played\n"
    assert run.stderr.splitlines() == [
        "error: three.yaml:2:22: unknown card `Ballsta`",
        "help: Did you mean `Ballista`?",
        "error: three.yaml:2:38: `7` is too large, the maximum is 5",
        "error: three.yaml:3:7: `C9x` is not a player: "
        "`A` to `F`, in teams `A1` to `F9`",
    ]


# What the command says of scenario files of solo that make no sense.

SOLO = "format: gwent/solo\n"
SOLO_FAULTS_WRONG = {
    "hand_of_the_automa": (
        SOLO + "players: {B: {hand: [ves]}}\n",
        (2, 21),
        "`hand`: an automa has none",
    ),
    "passed_automa": (
        SOLO + "players: {B: {passed: true}}\n",
        (2, 23),
        "`passed`: an automa has none",
    ),
    "user_who_has_passed": (
        SOLO + "players: {A: {passed: true}}\n",
        (2, 23),
        "A has passed: the automa has had its last turn, the round is over",
        "Let A pass in `moves`; the automa answers",
    ),
    "hidden_cards_of_the_user": (
        SOLO + "players: {A: {hidden: [ves]}}\n",
        (2, 23),
        "`hidden`: only an automa has them",
    ),
    "leader_pile_without_automa": (
        "format: gwent/standard\nplayers: {B: {leaders: [king_bran]}}\n",
        (2, 24),
        "`leaders`: only an automa has them",
    ),
    "leaders_without_the_variant": (
        SOLO + "players: {B: {leaders: [king_bran]}}\n",
        (2, 24),
        "the format plays without the automa's leaders",
    ),
    "weather_of_the_user": (
        SOLO + "players: {A: {hand: [clear_weather, biting_frost]}}\n",
        (2, 37),
        "A has no weather but Clear Weather in solo (gwent 6.1.3)",
        "Only The Relentless as A's leader can take one (gwent 6.2.10)",
    ),
    "weather_that_the_user_played": (
        SOLO + "weather: [{card: biting_frost, by: A}]\n",
        (2, 36),
        "A has no weather but Clear Weather in solo (gwent 6.1.3)",
        "Only The Relentless as A's leader can take one (gwent 6.2.10)",
    ),
    "move_of_the_automa": (
        SOLO + "moves: [{player: B, pass: true}]\n",
        (2, 27),
        "B cannot pass: the automa plays after each move of A",
    ),
    "chance_between_equal_cards": (
        SOLO + "players: {A: {hand: [2 ves]}, B: {deck: [siege_technician], "
        "discard: [fringilla_vigo, assire_var_anahid]}}\n"
        "moves: [{player: A, play: ves}]\n",
        (3, 9),
        "chance decides which card B takes of those that are equally good: "
        "Fringilla Vigo or Assire var Anahid",
        "Say which: `random: [fringilla_vigo]`, for example",
    ),
    "chance_between_equal_rows": (
        SOLO + "options: {automa_ties: random}\n"
        "players: {A: {hand: [2 ves]}, B: {faction: scoiatael, deck: [yaevinn]}}\n"
        "moves: [{player: A, play: ves}]\n",
        (4, 9),
        "chance decides which row B takes of those that are equally good: "
        "close or ranged",
        "Say which: `random: [close]`, for example",
    ),
    "chance_of_a_leader": (
        "format: gwent/solo_leader\nplayers: {A: {gems: 1, close: [ves]}, "
        "B: {faction: nilfgaard, discard: [cynthia, albrich], "
        "leaders: [emhyr_invader_of_the_north]}}\nmoves: [{player: A, pass: true}]\n",
        (3, 9),
        "chance decides which unit B's leader brings back: Cynthia or Albrich",
        "Say which: `random: [cynthia]`, for example",
    ),
    "turn_of_the_automa": (
        SOLO + "turn: B\n",
        (2, 7),
        "the automa never is to move: it plays after each move of A",
    ),
    "too_many_hidden_cards": (
        SOLO + "players: {B: {hidden: [25 ghoul]}}\n",
        (2, 23),
        "25 cards found, 24 have room",
    ),
}


@pytest.fixture(scope="module")
def solo_faults_entries(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wrong")
    for name, (text, *_) in SOLO_FAULTS_WRONG.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "deckcheck", "scenario", ".", "--output-format", "json"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2, run.stderr
    entries = json.loads(run.stdout)["scenarios"]
    return {Path(entry["file"]).stem: entry for entry in entries}


@pytest.mark.parametrize("name", SOLO_FAULTS_WRONG)
def test_a_wrong_file_of_solo_is_reported_where_it_is_wrong(name, solo_faults_entries):
    _, (line, column), message, *help = SOLO_FAULTS_WRONG[name]

    assert solo_faults_entries[name]["ok"] is False
    assert solo_faults_entries[name]["faults"] == [
        {
            "line": line,
            "column": column,
            "message": message,
            "help": help[0] if help else None,
        }
    ]
