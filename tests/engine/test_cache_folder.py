"""Where compiled code is kept, and what happens when it cannot be."""

from __future__ import annotations

import os
import time

from deckcheck.engine.host import cache


def test_a_folder_that_cannot_be_made_is_not_used(tmp_path):
    (tmp_path / "file").write_text("")

    assert not cache.usable(tmp_path / "file" / "cache")


def test_a_nearly_full_disk_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "FREE_BYTES_NEEDED", 1 << 62)

    assert not cache.usable(tmp_path)


def test_the_users_folder_gets_the_hash_appended(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))

    assert cache.choose_cache_folder() == tmp_path / f"engine-{cache.source_hash()}"


def test_without_a_usable_home_the_temporary_folder_serves(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(cache, "private_temporary_folder", lambda: tmp_path / "own")

    assert (
        cache.choose_cache_folder()
        == tmp_path / "own" / f"engine-{cache.source_hash()}"
    )


def test_nothing_is_kept_when_no_disk_will_have_it(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "usable", lambda folder: False)

    assert cache.choose_cache_folder() is None


def test_only_old_code_of_other_versions_is_deleted(tmp_path):
    names = ["engine-old", "engine-recent", "engine-kept", "other"]
    for name in names:
        (tmp_path / name).mkdir()
    month_ago = time.time() - 30 * 24 * 3600
    os.utime(tmp_path / "engine-old", (month_ago, month_ago))
    os.utime(tmp_path / "other", (month_ago, month_ago))
    cache.remove_old_folders(tmp_path, keep="engine-kept")

    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names[1:])
