"""The results store: one SQLite file, one row a finished run.

Any number of processes may work on one store. Before a run a worker *claims* it; when it ends,
the row is written and the claim removed in one transaction. A worker that is killed leaves its
claim behind, but the operating system lets go of its lock file, and the next to come takes the
claim over (`claim_owner.py`). Rows are never changed or replaced. `schema.py` has the layout,
`row.py` what a row is, `store_file.py` how the file is opened.
"""

from __future__ import annotations

import json
import sqlite3
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from typing import Any

from playout.errors import DataError, DataWarning, PlayoutError
from playout.study.plan import Settings
from playout.study.specification import Experiment
from playout.study.store.claim_owner import Owner, is_alive
from playout.study.store.row import (
    GOOD,
    MOST_BYTES,
    RUN_COLUMNS,
    Row,
    RunKey,
    checksum,
    is_good,
)
from playout.study.store.schema import APPLICATION, VERSION, lay_out, renew, show_as_new, strange
from playout.study.store.store_file import (
    VARIABLE,
    connect,
    default_path,
    keep_log,
    log_size,
    plain_fault,
)
from playout.text.json_text import is_natural

MOST_RUNS = 1_000_000  # of a search: a report goes through all of them
WAIT = 60.0  # seconds that a process waits for another's transaction

MINE, DONE, TAKEN = "mine", "done", "taken"


class Store:
    """An open store. Not to be shared by threads: each opens its own.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(folder + "/results.sqlite") as store:
    ...     store.experiments()
    []
    """

    def __init__(self, path: str | Path, *, read_only: bool = False, wait: float = WAIT) -> None:
        self.path, self._wait = Path(path), wait
        self._damaged: dict[int, str] = {}  # runs that were met, and not told of yet
        self._miscounted: dict[str, str] = {}  # tables that have lost rows, not told of yet
        self._raised: BaseException | None = None  # in a function that SQLite called
        with self._faults():
            try:
                self._begin(read_only)
            except sqlite3.OperationalError as error:
                # a reader keeps an index of the log on the disk, which may be full
                if not read_only or "disk I/O" not in str(error) or log_size(self.path):
                    raise
                self._begin(read_only, still=True)

    def _begin(self, read_only: bool, still: bool = False) -> None:
        self._connection = connect(self.path, self._wait, read_only, still)
        self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
        define = self._connection.create_function
        define("checksum_of", -1, self._called(checksum), deterministic=True)
        define("good_run", -1, self._called(is_good), deterministic=True)
        try:
            self._check(read_only)
        except BaseException:
            self._connection.close()
            raise

    def _called(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function for SQLite to call, which says of any exception only that there was one."""

        def call(*values: Any) -> Any:
            try:
                return function(*values)
            except BaseException as error:  # such as Ctrl-C
                self._raised = error
                raise

        return call

    def close(self) -> None:
        self._connection.close()
        self._tell_damaged()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # experiments

    def remember(
        self, experiment: Experiment, settings: Settings, codes: Mapping[str, str] | None = None
    ) -> None:
        """Keep what was asked for, so that a report needs nothing else.

        `codes` are the present states of the problems and algorithms, by the key of a run.
        """
        run_with = {**settings.to_json(), "codes": dict(codes or {})}
        row = (json.dumps(experiment.to_json()), json.dumps(run_with))
        with self._transaction() as connection:
            if self._remembered(experiment.name) != row:
                connection.execute(
                    "INSERT INTO experiments (name, specification, settings) VALUES (?, ?, ?)",
                    (experiment.name, *row),
                )

    def experiments(self) -> list[str]:
        """The names of the experiments that the store has seen."""
        rows = self.rows("SELECT DISTINCT name FROM experiments ORDER BY name")
        return [name for (name,) in rows]

    def experiment(self, name: str) -> tuple[Experiment, Settings, dict[str, str]] | None:
        """An experiment, and the settings and codes that it was last run with."""
        row = self._remembered(name)
        if row is None:
            return None
        try:
            run_with = json.loads(row[1])
            codes = dict(run_with.pop("codes", {}))
            experiment = Experiment.from_json(json.loads(row[0]))
            settings = Settings.from_json(run_with)
            for runs in (settings.runs or 0, *(table.runs for table in experiment.tables)):
                if not is_natural(runs) or runs > MOST_RUNS:
                    raise ValueError
            return experiment, settings, codes
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise DataError(f"{self.path}: the entry of {name} is damaged") from None

    def _remembered(self, name: str) -> tuple[str, str] | None:
        rows = self.rows(
            "SELECT specification, settings FROM experiments WHERE name = ? "
            "ORDER BY id DESC LIMIT 1",
            (name,),
        )
        return rows[0] if rows else None

    # runs

    def claim(self, key: RunKey, owner: Owner) -> str:
        """Whether a run is this owner's to do, done already, or being done by another."""
        if self._done(key):
            return DONE
        with self._transaction() as connection:
            if self._done(key):
                return DONE
            holder = connection.execute(
                "SELECT owner FROM claims WHERE experiment = ? AND cell = ? AND seed = ? "
                "AND unit = ? AND package = ? AND code = ?",
                key.claim(),
            ).fetchone()
            if holder is not None and is_alive(self.path, holder[0]):
                return TAKEN
            connection.execute(
                "INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*key.claim(), owner.name),
            )
        return MINE

    def finish(self, key: RunKey, row: Row) -> None:
        """Write a run and give its claim back, both or neither."""
        columns = {**vars(key), **row.columns()}
        values = [columns[name] for name in RUN_COLUMNS]
        marks = ", ".join("?" * len(RUN_COLUMNS))
        with self._transaction() as connection:
            # a damaged run of this key makes way
            connection.execute(
                "DELETE FROM runs WHERE experiment = ? AND cell = ? AND seed = ? AND unit = ? "
                f"AND package = ? AND code = ? AND NOT {GOOD}",
                key.claim(),
            )
            written = connection.execute(
                f"INSERT OR IGNORE INTO runs ({', '.join(RUN_COLUMNS)}) VALUES ({marks})", values
            )
            if written.rowcount:
                connection.execute(
                    f"UPDATE runs SET checksum = checksum_of({', '.join(RUN_COLUMNS)}) "
                    "WHERE id = ?",
                    (written.lastrowid,),
                )
            connection.execute(
                "DELETE FROM claims WHERE experiment = ? AND cell = ? AND seed = ? AND unit = ? "
                "AND package = ? AND code = ?",
                key.claim(),
            )

    def release(self, owner: Owner) -> None:
        """Give back what an owner has claimed and not finished."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM claims WHERE owner = ?", (owner.name,))

    def runs(
        self, columns: Sequence[str], where: str = "TRUE", values: Iterable[Any] = ()
    ) -> Iterator[tuple[Any, ...]]:
        """Two or more columns of the runs that are what was written, oldest first.

        `where` is SQL of what a run is known by. Damaged runs count nowhere; a warning tells of
        them once, when the store is closed.
        """
        names = ("id", "checksum", *RUN_COLUMNS)
        wanted = itemgetter(*(names.index(column) for column in columns))
        cell, seed = names.index("cell"), names.index("seed")
        # by their numbers, in which order they lie on the disk
        sql = f"SELECT {', '.join(names)} FROM {_either('runs', where)} ORDER BY id"
        self._count_twice("runs", "sqlite_autoindex_runs_1")
        with self._faults():
            for row in self._connection.execute(sql, tuple(values) * 2):
                if is_good(*row[1:]):
                    yield wanted(row)
                else:
                    self._damaged[row[0]] = f"run {row[0]} ({row[cell]}, seed {row[seed]})"

    def _count_twice(self, table: str, index: str) -> None:
        """Tell when a table has lost rows that its index knows of, or the other way round."""
        (in_table,), (in_index,) = self.rows(
            f"SELECT COUNT(*) FROM main.{table} NOT INDEXED "
            f"UNION ALL SELECT COUNT(*) FROM main.{table} INDEXED BY {index}"
        )
        if in_table != in_index:
            self._miscounted[table] = f"{in_table:,} by the table and {in_index:,} by its index"

    def _tell_damaged(self) -> None:
        for table, counts in self._miscounted.items():
            warnings.warn(
                f"{self.path} is damaged: its {table} are {counts}; some may be missing",
                DataWarning,
                stacklevel=1,
            )
        self._miscounted = {}
        if not self._damaged:
            return
        first, *more = self._damaged.values()
        others = f", and {len(more):,} more," if more else ""
        self._damaged = {}
        warnings.warn(
            f"{self.path}: {first}{others} is damaged and left out; "
            "the command that made it makes it again",
            DataWarning,
            stacklevel=1,
        )

    def missing(self, keys: Iterable[RunKey]) -> list[RunKey]:
        """The runs that the store does not have."""
        return [key for key in keys if not self._done(key)]

    def _done(self, key: RunKey) -> bool:
        """Whether there is such a run, or a longer one: its curve has the shorter one in it."""
        ((found,),) = self.rows(
            "SELECT EXISTS (SELECT 1 FROM runs WHERE experiment = ? AND cell = ? AND seed = ? "
            f"AND unit = ? AND package = ? AND code = ? AND budget >= ? AND {GOOD})",
            (*key.claim(), key.budget * (1 - 1e-9)),
        )
        return bool(found)

    # tuning

    def add_trial(self, study: str, options: dict[str, Any], value: float, finished: str) -> None:
        """Keep a trial of a tuning study."""
        columns = (study, json.dumps(options), value, finished)
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO trials (study, options, value, finished, checksum) "
                "VALUES (?, ?, ?, ?, ?)",
                (*columns, checksum(*columns)),
            )

    def trials(self, study: str) -> list[tuple[dict[str, Any], float]]:
        """The trials of a study, in order."""
        self._count_twice("trials", "trials_of")
        rows = self.rows(
            "SELECT checksum, study, options, value, finished FROM "
            f"{_either('trials', 'study = ?')} ORDER BY id",
            (study, study),
        )
        try:
            if any(saved and saved != checksum(*columns) for saved, *columns in rows):
                raise ValueError
            return [(dict(json.loads(options)), float(value)) for _, _, options, value, _ in rows]
        except (ValueError, TypeError, RecursionError):
            raise DataError(f"{self.path}: a trial of the study {study} is damaged") from None

    # SQL

    def rows(self, sql: str, values: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with self._faults():
            return self._connection.execute(sql, tuple(values)).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """A transaction that holds the write lock from its beginning."""
        with self._faults():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _check(self, read_only: bool) -> None:
        """Refuse a file that is not a store of this version; lay out a new one."""
        sql = self._connection.execute
        sql("BEGIN")  # another process may be laying it out: all of that is seen, or nothing
        (tables,) = sql("SELECT COUNT(*) FROM sqlite_master").fetchone()
        (application,) = sql("PRAGMA application_id").fetchone()
        (version,) = sql("PRAGMA user_version").fetchone()
        other = strange(self._connection)
        sql("COMMIT")
        if application != APPLICATION and (tables or read_only):
            raise DataError(f"{self.path} is not a results store of playout; it was left alone")
        if other and version <= VERSION:
            raise DataError(
                f"{self.path} has something that no results store has: {other}; it was left alone"
            )
        if version > VERSION:
            raise DataError(
                f"{self.path} is from a newer version of playout (store {version}, this one "
                f"reads up to {VERSION}); it was left alone"
            )
        if read_only:
            if version < VERSION:
                show_as_new(self._connection)
            return
        keep_log(self._connection, self._wait)
        sql("PRAGMA synchronous = FULL")
        if not tables or version < VERSION:
            with self._transaction() as connection:
                # another process may have been quicker
                (tables,) = sql("SELECT COUNT(*) FROM sqlite_master").fetchone()
                (version,) = sql("PRAGMA user_version").fetchone()
                if not tables:
                    lay_out(connection)
                elif version < VERSION:
                    renew(connection)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """What SQLite says, as one line for a person."""
        try:
            yield
        except PlayoutError:
            raise
        except sqlite3.DatabaseError as error:
            raised, self._raised = self._raised, None
            if raised is not None:
                raise raised from None
            raise DataError(f"{self.path}: {plain_fault(error, self._wait)}") from None
        except UnicodeDecodeError:  # what SQLite says of a damaged file may be no text
            raise DataError(f"{self.path}: is damaged; it was left alone") from None


def _either(table: str, where: str) -> str:
    """In SQL: what a condition finds in a table itself or by its index, of which one is damaged."""
    return f"{table} NOT INDEXED WHERE ({where}) OR id IN (SELECT id FROM {table} WHERE {where})"


def open_store(
    path: str | Path | None = None, *, read_only: bool = False, wait: float = WAIT
) -> Store:
    """The store at a path, or the user's own, whose folder is made if need be.

    `wait` is how many seconds another's transaction is waited for.
    """
    if path is not None:
        return Store(path, read_only=read_only, wait=wait)
    own = default_path()
    if not read_only:
        try:
            own.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(
                f"cannot make the folder {own.parent}: {error.strerror}; name another file with "
                f"--store, or in {VARIABLE}"
            ) from None
    return Store(own, read_only=read_only, wait=wait)
