"""Share codes: written, read back, and refused when anything is wrong with them."""

import random
from base64 import urlsafe_b64encode

import pytest

from deckcheck.decks import DeckText, find_deck_files, parse_decks
from deckcheck.decks.codes import (
    CODE_PREFIX,
    MAX_LENGTH,
    ShareCode,
    ShareCodeError,
    _compute_checksum,
    decode,
    encode,
)

SMALL = ShareCode("gwent/standard", 3, {5: 1, 16: 3, 300: 999})
GOLDEN = [
    (SMALL, "DC1_Dmd3ZW50L3N0YW5kYXJkAwMFAQsDnALnB6Goiuw"),
    (ShareCode("gwent", 0, {}), "DC1_BWd3ZW50AADkxatY"),
]


@pytest.mark.parametrize(("content", "code"), GOLDEN)
def test_codes_never_change(content: ShareCode, code: str) -> None:
    assert encode(content) == code
    assert decode(code) == content


def test_any_content_comes_back() -> None:
    choose = random.Random(5)
    for _ in range(300):
        numbers = choose.sample(range(1, 5000), choose.randrange(40))
        cards = {number: choose.randint(1, 999) for number in sorted(numbers)}
        content = ShareCode("gwent/advanced", choose.randrange(9999), cards)

        assert decode(encode(content)) == content


def test_the_order_of_cards_does_not_matter() -> None:
    turned = ShareCode("gwent/standard", 3, dict(reversed(SMALL.cards.items())))

    assert encode(turned) == encode(SMALL)


def test_truncated_anywhere() -> None:
    code = GOLDEN[0][1]
    for length in range(len(code)):
        with pytest.raises(ShareCodeError) as caught:
            decode(code[:length])
        assert 1 <= caught.value.position <= length + 1, length


def test_every_flipped_character() -> None:
    code = GOLDEN[0][1]
    for place, right in enumerate(code):
        for wrong in "AZaz09-_ é":
            if wrong != right:
                with pytest.raises(ShareCodeError):
                    decode(code[:place] + wrong + code[place + 1 :])


def test_the_error_says_where() -> None:
    long = CODE_PREFIX + "A" * MAX_LENGTH
    for code, message, position in (
        ("", "A share code starts with `DC1_`", 1),
        ("hello", "A share code starts with `DC1_`", 1),
        ("DC2_AAAA", "Share code has version 2, only 1 can be read", 3),
        ("DC1_AA A", "Share code contains an invalid character", 7),
        (long, "Share code has 4,004 characters, 4,000 allowed", 4001),
    ):
        with pytest.raises(ShareCodeError) as caught:
            decode(code)
        assert (caught.value.message, caught.value.position) == (message, position)


NONSENSE = {
    "it ends too early": (b"\x09gwent",),
    "its format is not text": (b"\x01\xff\0\0",),
    "1 copies of card number 0": (b"\x05gwent\0\x01\x00\x01",),
    "0 copies of card number 1": (b"\x05gwent\0\x01\x01\x00",),
    "something follows the last card": (b"\x05gwent\0\x00\x00",),
    "a number is not in its shortest form": (b"\x05gwent\x80\x00\x00",),
    "a number is too large": (
        b"\x05gwent\xff\xff\xff\xff\xff\xff",
        b"\x05gwent\xff\xff\xff\xff\xff\x01",
    ),
}


def test_a_right_checksum_over_nonsense() -> None:
    for reason, payloads in NONSENSE.items():
        for payload in payloads:
            body = urlsafe_b64encode(payload + _compute_checksum(payload)).decode()
            with pytest.raises(ShareCodeError, match=f"deck: {reason}$"):
                decode(CODE_PREFIX + body.rstrip("="))


def test_any_text_is_refused_in_one_way() -> None:
    choose = random.Random(7)
    letters = "ABCabc019-_=é\n"
    for _ in range(3000):
        text = "".join(choose.choices(letters, k=choose.randrange(30)))
        with pytest.raises(ShareCodeError):
            decode(choose.choice(["", "DC", CODE_PREFIX]) + text)


def test_a_code_in_a_sentence_or_an_address() -> None:
    code = encode(ShareCode("gwent/standard", 0, {1: 2}))
    for text in (
        "My deck: {}, have fun!",
        "https://example.org/?deck={}",
        "Hello,\nthis is mine:\n{}\nBye",
    ):
        [deck] = parse_decks(DeckText("<text>", text.format(code)))
        counts = [line.count for line in deck.lines if line.count]
        assert (counts, deck.findings) == ([2], ()), text
        if "\n" not in text:
            [file] = find_deck_files([text.format(code)])
            assert file.text == code, text
