"""Gymnasium environments: put back as they were, or refused; searched, replayed, in processes."""

from __future__ import annotations

import doctest
import json
import random
import subprocess
import sys

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is missing: pip install gymnasium")

import playout as po  # noqa: E402
from playout.adapters import gymnasium as adapter  # noqa: E402
from playout.adapters.gymnasium import Gymnasium  # noqa: E402
from playout.errors import OptionError, PlayoutError, ProblemError  # noqa: E402

SEARCHES = ("openloop", "mixmax", "ordinal", "preference")


class Walk(gymnasium.Env):
    """A walk to the right: the action moves by one, a die decides whether it pays."""

    action_space = gymnasium.spaces.Discrete(2, start=1)
    observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (1,))

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = np.zeros(1)
        return self.place, {}

    def step(self, action):
        assert action in (1, 2)
        self.place[0] += action
        paid = float(self.np_random.integers(6)) if action == 2 else 2.0
        return self.place, paid, bool(self.place[0] >= 8), False, {}


class Hidden(Walk):
    """The same with luck that nobody can put back."""

    luck = random.SystemRandom()

    def step(self, action):
        shown, _, ended, cut, info = super().step(action)
        return shown, self.luck.random(), ended, cut, info


class Forgetful(Walk):
    """Its games begin well a few times."""

    begun = []  # by all of them: it is not put back

    def reset(self, *, seed=None, options=None):
        self.begun.append(seed)
        if len(self.begun) > 4:
            raise RuntimeError("no\nmore")
        return super().reset(seed=seed)


class Older(Walk):
    """What it gives back is what environments gave before Gymnasium."""

    def reset(self, *, seed=None, options=None):
        return super().reset(seed=seed)[0]


class Lasting(Walk):
    """What it shows goes on from game to game."""

    games = 0

    def reset(self, *, seed=None, options=None):
        self.games += 1
        return super().reset(seed=seed)

    def step(self, action):
        _, *rest = super().step(action)
        return self.place + self.games, *rest


class Unpaid(Walk):
    def step(self, action):
        shown, _, *rest = super().step(action)
        return shown, np.nan, *rest


class Short(Walk):
    def step(self, action):
        return super().step(action)[:4]


class Many(Walk):
    action_space = gymnasium.spaces.Discrete(2**40)


@pytest.mark.parametrize(
    ("lies", "says"),
    [
        (Forgetful, r"Forgetful: reset\(seed=\d+\) failed: RuntimeError: no more$"),
        (Older, r"Older: reset\(seed=\d+\) failed: ValueError: not enough values"),
        (Lasting, r"Lasting is another game when it begins again: .* step 1 has another observ"),
        (Unpaid, r"Unpaid: a step failed: ValueError: the reward is no number$"),
        (Short, r"Short: a step failed: ValueError: not enough values"),
        (Many, r"Many has 1,099,511,627,776 actions: 1 to 1,000,000$"),
    ],
)
def test_an_environment_that_lies_is_told_in_one_line(lies, says):
    with pytest.raises(PlayoutError, match=says):
        po.episode(Gymnasium(lies), "openloop", "10 calls", seed=1)


class Slots(Walk):
    """Its place is in an object that Python cannot look into; it has methods for it."""

    def reset(self, *, seed=None, options=None):
        shown = super().reset(seed=seed)
        self.far = iter(range(1000))
        return shown

    def step(self, action):
        shown, paid, ended, cut, info = super().step(action)
        return shown, paid + next(self.far), ended, cut, info


class WithMethods(Slots):
    def get_state(self):
        return self.place.copy(), self.far.__reduce__(), self.np_random.bit_generator.state

    def set_state(self, state):
        place, (make, arguments, *rest), luck = state
        self.place = place.copy()
        self.far = make(*arguments)
        for more in rest:
            self.far.__setstate__(more)
        self.np_random.bit_generator.state = luck


def test_docstring():
    failed, tried = doctest.testmod(adapter)
    assert tried >= 4
    assert failed == 0


@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_plays_it_and_the_replay_agrees(search):
    game = Gymnasium("CartPole-v1", steps=8)
    played = po.episode(game, f"{search}:length=4", po.Calls(40), seed=3)
    assert played.verified
    assert played.score == 8.0
    assert [decision.calls for decision in played.decisions] == [40] * 8
    again = po.episode(Gymnasium("CartPole-v1", steps=8), f"{search}:length=4", "40 calls", seed=3)
    assert (again.moves, again.state) == (played.moves, played.state)


def test_another_luck_does_not_replay():
    game = Gymnasium(Walk)
    played = po.episode(game, "openloop", po.Calls(30), seed=1)
    assert played.verified
    with pytest.raises(po.errors.DataError, match="does not replay"):
        played.replay(game, luck=2)


def test_the_search_does_not_know_the_luck():
    """A die brings 2.5 on average against 2 for sure, whatever the next one will show."""
    moves = set()
    for seed in range(6):
        game = Gymnasium(Walk)
        session = po.gametree.tree_search.as_search("openloop:C=2").session(game, seed=seed)
        session.set_position(game.root(seed))
        true = game.simulator.env.unwrapped.np_random.bit_generator.state["state"]
        session.run(po.Calls(60))
        moves.add(session.run(po.Calls(400)).move)
        root = game.root(seed)
        assert game.simulator.env.unwrapped.np_random.bit_generator.state["state"] == true
        game.play_move(root[0], 1)
    assert len(moves) == 1  # with open luck it would be the die exactly where it shows 3 or more


def test_states_are_put_back_in_any_order():
    """Copies that were made behind the adapter's back go on as they would have."""
    game = Gymnasium(Walk)
    root = game.root(4)
    one, two = root.copy(), root.copy()
    for _ in range(3):
        game.play_move(one[0], 1)
    for _ in range(3):
        game.play_move(two[0], 1)
    game.play_move(root[0], 1)
    assert one[0].total == two[0].total
    assert one[0].at == two[0].at
    world = root.copy()
    game.redraw(world[0], 0, np.array([5], np.uint64))
    other = world.copy()
    game.play_move(world[0], 1)
    game.play_move(root[0], 0)
    game.play_move(other[0], 1)
    assert other[0].total == world[0].total


def test_an_environment_that_cannot_be_put_back_is_refused():
    with pytest.raises(OptionError) as refused:
        Gymnasium(Hidden)
    text = str(refused.value)
    assert "Hidden cannot be put back, so it cannot be searched" in text
    assert "its fields: step 1 has another reward then" in text
    assert "\n" not in text


def test_ways_to_put_it_back():
    assert Gymnasium(Walk).put_back_by == "its fields"
    assert Gymnasium(Slots).put_back_by == "deepcopy"
    assert Gymnasium(WithMethods).put_back_by == "get_state and set_state"
    own = Gymnasium(
        Slots, save=WithMethods.get_state, load=lambda env, state: WithMethods.set_state(env, state)
    )
    assert own.put_back_by == "save and load"
    for game in (Gymnasium(Slots), Gymnasium(WithMethods), own):
        played = po.episode(game, "ordinal", po.Calls(30), seed=2)
        assert played.verified
    with pytest.raises(OptionError, match="step 1 has another"):
        Gymnasium(Slots, save=lambda env: None, load=lambda env, state: None)


def test_the_search_does_not_know_what_dice_of_pythons_will_show():
    class Dice(Walk):
        def reset(self, *, seed=None, options=None):
            self.die = random.Random(seed)
            return super().reset(seed=seed)

        def step(self, action):
            shown, _, *rest = super().step(action)
            return shown, float(self.die.randrange(6)), *rest

    game, totals = Gymnasium(Dice), set()
    for luck in range(20):
        world = game.root(1)
        game.redraw(world[0], 0, np.array([luck], np.uint64))
        game.play_move(world[0], 1)
        totals.add(float(world[0].total))
    assert len(totals) > 3


def test_what_is_refused():
    with pytest.raises(OptionError, match=r"has the actions Box.*Discrete ones can be searched"):
        Gymnasium("Pendulum-v1")
    with pytest.raises(OptionError, match="no environment 'CartPol-v1'; did you mean CartPole"):
        Gymnasium("CartPol-v1")
    with pytest.raises(OptionError, match="FrozenLake-v1,map_name=none,size=3 cannot be made"):
        Gymnasium("FrozenLake-v1,map_name=none,size=3")
    with pytest.raises(OptionError, match="steps=-1: a whole number from 0"):
        Gymnasium("CartPole-v1", steps=-1)
    with pytest.raises(OptionError, match="save= and load= belong together"):
        Gymnasium(Walk, save=id)
    with pytest.raises(OptionError, match="is no Gymnasium environment"):
        Gymnasium(lambda: 3)
    with pytest.raises(OptionError, match="gymnasium alone is no problem"):
        po.episode("gymnasium")
    with pytest.raises(OptionError, match="reads the luck to come"):
        po.solve(Gymnasium(Walk), "nmcs", "10 playouts")


def test_an_error_of_the_environment_is_told():
    class Broken(Walk):
        broken = False

        def step(self, action):
            if type(self).broken:
                raise RuntimeError("no more\nsteps")
            return super().step(action)

    game = Gymnasium(Broken)
    Broken.broken = True
    with pytest.raises(
        ProblemError, match=r"Broken: step\(\d\) failed: RuntimeError: no more steps"
    ):
        po.episode(game, "openloop", po.Calls(10))


def test_truncation():
    assert Gymnasium("CartPole-v1").max_length == 500
    assert Gymnasium(lambda: gymnasium.wrappers.TimeLimit(Walk(), 3)).max_length == 10_000
    game = Gymnasium(lambda: gymnasium.wrappers.TimeLimit(Walk(), 3))
    played = po.episode(game, "openloop", po.Calls(30), seed=1)
    assert len(played.moves) == 3
    assert played.verified


def test_processes_share_the_work_out(tmp_path):
    game = Gymnasium("CartPole-v1", steps=3)
    played = po.episode(game, "ordinal:length=4", po.Calls(41), seed=1, workers=2)
    assert played.verified
    assert [decision.calls for decision in played.decisions] == [41] * 3
    with pytest.raises(OptionError, match="an interpreted search has one worker"):
        po.episode(Gymnasium(Walk()), "openloop", po.Calls(10), workers=2)
    with pytest.raises(OptionError, match="another process cannot make the game"):
        po.episode(Gymnasium(lambda: Walk()), "openloop", po.Calls(10), workers=2)
    with pytest.raises(OptionError, match="keep no tree"):
        po.episode(game, "openloop:keep=true", po.Calls(10), workers=2)


@pytest.mark.long
def test_the_command(tmp_path):
    command = [sys.executable, "-m", "playout", "episode", "gymnasium:CartPole-v1"]
    words = ["-p", "steps=4", "--calls", "20", "--seed", "1"]
    kept = tmp_path / "game.json"
    done = subprocess.run(
        [*command, *words, "--json", "--save", str(kept)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["problem"] == "gymnasium:CartPole-v1"
    assert found["score"] == 4.0
    assert found["verified"] is True
    shown = subprocess.run(
        [*command, "-p", "steps=4", "--replay", str(kept), "--show"], capture_output=True, text=True
    )
    assert shown.returncode == 0, shown.stderr
    assert "step 4, score 4" in shown.stdout
    refused = subprocess.run(
        [*command[:-1], "gymnasium:Pendulum-v1"], capture_output=True, text=True
    )
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1


# packages of others


@pytest.mark.long
def test_minatar():
    pytest.importorskip("minatar", reason="MinAtar is missing: pip install minatar")
    game = Gymnasium("MinAtar/Breakout-v1", steps=6)
    assert game.put_back_by == "its fields"
    assert po.episode(game, "ordinal:length=5", po.Calls(60), seed=1).verified


def test_a_module_beside_ones_own_files_is_imported_first(tmp_path, monkeypatch):
    (tmp_path / "own_walk.py").write_text(
        "import gymnasium\n"
        "from tests.adapters.test_gymnasium import Walk\n"
        "gymnasium.register('OwnWalk-v0', entry_point=Walk, max_episode_steps=7)\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    game = Gymnasium("own_walk:OwnWalk-v0")
    assert game.max_length == 7
    assert po.episode(game, "openloop:length=5", po.Calls(20), seed=1).verified
    with pytest.raises(OptionError, match="No module named 'no_such_walk'"):
        Gymnasium("no_such_walk:OwnWalk-v0")


@pytest.mark.long
def test_atari():
    """Its repeated actions are luck: known to the record, not to the search."""
    ale_py = pytest.importorskip(
        "ale_py", reason="the Arcade Learning Environment is missing: ale-py"
    )
    game = Gymnasium("ALE/Breakout-v5", steps=4)
    assert game.put_back_by == "cloneState and restoreState"
    played = po.episode(game, "openloop:length=5", po.Calls(30), seed=1)
    assert played.verified
    assert set(played.moves) <= {"NOOP", "FIRE", "LEFT", "RIGHT"}
    steady = Gymnasium("ALE/Breakout-v5,repeat_action_probability=0", steps=40)
    lasts = []
    for one in (game, steady):
        state = one.root(1)
        draw = random.Random(2)
        kept = 0
        for _ in range(4):
            action = draw.randrange(4)
            one.play_move(state[0], action)
            kept += one.simulator.last != one.simulator._codes[action]
        lasts.append(kept)
    assert lasts[1] == 0
    gymnasium.register_envs(ale_py)
    with pytest.raises(OptionError, match=r"cannot be put back.*another"):
        Gymnasium(lambda: gymnasium.make("ALE/Breakout-v5", repeat_action_probability=0.9))
