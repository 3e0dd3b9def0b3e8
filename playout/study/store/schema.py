"""The layout of the results store, and what is done with a store of an older layout.

The curve of a run is a blob of little-endian 64-bit numbers, three for each improvement: seconds,
playouts, score. Moves are JSON, as text for a person and as the records that a replay needs.
`details` is a JSON object of what else there is to tell of a run, by name: what its search has
counted, or `halves`, the half-widths of the 95% intervals of a curve whose points are means.
`checksum` is of all other columns of a run or a trial but its number; those of an older version
have none.
"""

from __future__ import annotations

import re
import sqlite3

APPLICATION = 0x504C4159  # "PLAY"
VERSION = 4

_WORDS = re.compile(r"[^\s,;()'{}\"`\[\]]+")
SCHEMA = """
CREATE TABLE experiments (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    specification TEXT NOT NULL,
    settings TEXT NOT NULL
);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    experiment TEXT NOT NULL,
    cell TEXT NOT NULL,
    seed INTEGER NOT NULL,
    unit TEXT NOT NULL,
    budget REAL NOT NULL,
    package TEXT NOT NULL,
    code TEXT NOT NULL,
    problem TEXT NOT NULL,
    instance TEXT NOT NULL,
    problem_options TEXT NOT NULL,
    algorithm TEXT NOT NULL,
    options TEXT NOT NULL,
    score REAL NOT NULL,
    playouts INTEGER NOT NULL,
    seconds REAL NOT NULL,
    verified INTEGER NOT NULL,
    stopped_by TEXT NOT NULL,
    python TEXT NOT NULL,
    numba TEXT NOT NULL,
    git_commit TEXT NOT NULL,
    machine TEXT NOT NULL,
    finished TEXT NOT NULL,
    curve BLOB NOT NULL,
    moves TEXT NOT NULL,
    records TEXT NOT NULL,
    details TEXT NOT NULL DEFAULT '{}',
    checksum TEXT NOT NULL DEFAULT '',
    UNIQUE (experiment, cell, seed, unit, budget, package, code)
);
CREATE TABLE claims (
    experiment TEXT NOT NULL,
    cell TEXT NOT NULL,
    seed INTEGER NOT NULL,
    unit TEXT NOT NULL,
    package TEXT NOT NULL,
    code TEXT NOT NULL,
    owner TEXT NOT NULL,
    PRIMARY KEY (experiment, cell, seed, unit, package, code)
);
CREATE TABLE trials (
    id INTEGER PRIMARY KEY,
    study TEXT NOT NULL,
    options TEXT NOT NULL,
    value REAL NOT NULL,
    finished TEXT NOT NULL,
    checksum TEXT NOT NULL DEFAULT ''
);
CREATE INDEX trials_of ON trials (study);
"""


def lay_out(connection: sqlite3.Connection) -> None:
    """Make the tables of a new store."""
    for statement in SCHEMA.split(";"):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def strange(connection: sqlite3.Connection) -> str:
    """What is in a file that no store of any version has, such as a trigger; empty for nothing.

    The SQL of a stranger's runs when a row is read or written: triggers, views, columns that are
    computed, checks, defaults and indexes of expressions, tables that are modules.
    """
    known = set(_WORDS.findall(SCHEMA.lower()))
    objects = connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE sql NOT NULL AND name NOT LIKE ?",
        ("sqlite_stat%",),  # which ANALYZE makes
    )
    for kind, name, sql in objects.fetchall():
        if not set(_WORDS.findall(str(sql).lower())) <= known:
            return f"{kind} {name!r}"
    return ""


def renew(connection: sqlite3.Connection) -> None:
    """Bring a store of an older version to this one."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    for table, added in added_since(version).items():
        for name, value in added.items():
            connection.execute(
                f"ALTER TABLE {table} ADD COLUMN {name} TEXT NOT NULL DEFAULT '{value}'"
            )
    connection.execute(f"PRAGMA user_version = {VERSION}")


def show_as_new(connection: sqlite3.Connection) -> None:
    """Let queries see a store of an older version, which stays as it is, as one of this version."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.execute("PRAGMA temp_store = MEMORY")
    for table, added in added_since(version).items():
        more = "".join(f", '{value}' AS {name}" for name, value in added.items())
        connection.execute(f"CREATE TEMP VIEW {table} AS SELECT *{more} FROM main.{table}")


def added_since(version: int) -> dict[str, dict[str, str]]:
    """The columns that the tables of an older version do not have, with their defaults."""
    found = {"trials": {"checksum": ""}}
    if version < 3:
        found["runs"] = {"details": "{}", "checksum": ""} if version < 2 else {"checksum": ""}
    return found
