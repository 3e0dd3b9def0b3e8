"""The engine by hand: small games in which one rule or one class decides what is seen."""

from __future__ import annotations

import numpy as np
import pytest

from playout import check_problem
from playout.arcade import ARCADE, load_arcade
from playout.compiled import copy_record, wrapping
from playout.compiled.random import stream_of
from playout.errors import ProblemError
from tests.support.forms import long
from tests.support.vgdl_games import (
    IDLE,
    LEFT,
    RIGHT,
    UP,
    USE,
    after_each,
    data_game,
    needs_traces,
    places,
    play,
    seen,
    small,
)

BOX = ("box > Passive", "b > box")


def test_a_box_is_pushed_and_a_wall_undoes_the_tick():
    rules = "avatar wall > stepBack\nbox avatar > bounceForward\nbox wall > undoAll"
    game = small(BOX[0], rules, "A.b.w", BOX[1])
    assert places(game, play(game, RIGHT, RIGHT), "box") == [(3, 0)]
    state = play(game, RIGHT, RIGHT, RIGHT, RIGHT)
    assert places(game, state, "box") == [(3, 0)]
    assert places(game, state, "avatar") == [(2, 0)]


def test_a_killed_first_has_no_more_effects_and_a_killed_second_has():
    rules = "nut avatar > killSprite scoreChange=1\nnut avatar > killSprite scoreChange=10\n"
    rules += "avatar nut > transformTo stype=fed scoreChange=100"
    types = "nut > Immovable\navatar > MovingAvatar\nfed > MovingAvatar"
    game = small(types, rules, "An", "n > nut")
    state = play(game, RIGHT)
    assert state.score == 101
    assert places(game, state, "fed") == [(1, 0)]


def test_a_dead_avatar_stays_and_the_game_ends():
    game = small(
        "", "avatar wall > killSprite scoreChange=-1", "A.w", "", "SpriteCounter stype=avatar"
    )
    state = play(game, RIGHT, RIGHT)
    assert (state.ended, state.won, state.score) == (1, 0, -1)
    assert places(game, state, "avatar") == [(2, 0)]
    assert game.is_over(state)


def test_a_win_without_points_counts_one():
    game = small("", "wall avatar > killSprite", "A.w", "", "SpriteCounter stype=wall win=True")
    state = play(game, RIGHT, RIGHT)
    assert (state.ended, state.won, state.score) == (1, 1, 1)


@pytest.mark.parametrize(("held", "left"), [(2, [(3.0, 0.0)]), (9, [])])
def test_resources_are_collected_up_to_their_limit(held, left):
    game = small(
        f"coin > Resource limit={held}",
        "coin avatar > collectResource scoreChange=1",
        "Accc",
        "c > coin",
    )
    state = play(game, RIGHT, RIGHT, RIGHT)
    assert places(game, state, "coin") == left
    assert state.score == 3 - len(left)


def test_a_portal_leads_to_an_exit():
    types = "way > Portal stype=out\nout > Immovable"
    game = small(types, "avatar way > teleportToExit", "Ap...x", "p > way\nx > out")
    assert places(game, play(game, RIGHT), "avatar") == [(5, 0)]


def test_a_singleton_refuses_a_transformation_as_a_whole():
    types = "egg > Immovable\nhen > Immovable singleton=True"
    rules = "egg avatar > transformTo stype=hen killSecond=True"
    game = small(types, rules, "Aeeh", "e > egg\nh > hen")
    state = play(game, RIGHT)
    assert places(game, state, "egg") == [(1, 0), (2, 0)]
    assert places(game, state, "avatar") == [(1, 0)]


def test_a_level_may_have_several_of_a_singleton():
    game = small("hen > Immovable singleton=True", "hen wall > killSprite", "hAh", "h > hen")
    assert len(places(game, play(game, IDLE), "hen")) == 2


def test_a_spawn_point_counts_from_its_first_turn():
    types = "egg > Immovable\ntap > SpawnPoint stype=drop cooldown=4\ndrop > Immovable"
    game = small(types, "egg avatar > transformTo stype=tap", "Ae", "e > egg")
    # made in tick 0, it counts from tick 1 on: (1 + tick) is 4 in tick 3
    assert len(places(game, play(game, RIGHT, IDLE, IDLE), "drop")) == 0
    assert len(places(game, play(game, RIGHT, IDLE, IDLE, IDLE), "drop")) == 1


def test_what_was_made_of_a_mover_has_its_motion_for_that_tick_only():
    """A fixed sprite that a ball becomes pushes nothing when the tick is over."""
    types = "ball > Missile orientation=RIGHT\nstone > Immovable speed=1\nbox > Passive"
    rules = "ball wall > transformTo stype=stone\nbox stone > bounceForward"
    level, mapping = "b.w...\n...A..", "b > ball\nw > wall box"
    for shortcuts in (True, False):
        game = small(types, rules, level, mapping, shortcuts=shortcuts)
        assert places(game, play(game, *[IDLE] * 8), "box") == [(3, 0)]


def test_what_leaves_one_side_comes_in_at_the_other():
    game = small("car > Missile orientation=LEFT", "car EOS > wrapAround", "cA..", "c > car")
    assert places(game, play(game, IDLE, IDLE), "car") == [(3, 0)]


def test_a_raft_carries_and_shields():
    types = "sea > Immovable\nraft > Missile orientation=RIGHT speed=0.5"
    rules = "avatar raft > shieldFrom ftype=killSprite stype=sea\navatar raft > pullWithIt\n"
    rules += "avatar sea > killSprite"
    game = small(types, rules, "Assss", "s > sea\nA > sea raft avatar")
    state = play(game, IDLE, IDLE, IDLE)
    assert places(game, state, "avatar") == places(game, state, "raft") == [(1, 0)]
    assert not state.ended
    assert state.lame.sum() == 0


def test_health_is_lost_until_none_is_left():
    types = "avatar > MovingAvatar healthPoints=2\nthorn > Immovable"
    rules = "avatar thorn > subtractHealthPoints scoreChange=-1"
    game = small(types, rules, "Att", "t > thorn", "SpriteCounter stype=avatar")
    assert play(game, RIGHT).ended == 0
    state = play(game, RIGHT, RIGHT)
    assert (state.ended, state.score) == (1, -2)


def test_a_death_by_lost_health_may_have_a_score_of_its_own():
    types = "avatar > MovingAvatar healthPoints=2\nthorn > Immovable"
    rules = "avatar thorn > subtractHealthPoints scoreChange=-1 scoreChangeIfKilled=-9"
    game = small(types, rules, "Att", "t > thorn")
    assert play(game, RIGHT, RIGHT).score == -10


def test_rules_run_at_their_times():
    game = small(
        "", "avatar TIME > changeResource resource=wall timer=3 repeating=True scoreChange=1", "A."
    )
    assert [int(play(game, *[IDLE] * n).score) for n in (3, 4, 6, 7)] == [0, 1, 1, 2]


def test_a_rule_sets_a_timer_for_another():
    types = "bulb > Immovable\nlit > Immovable"
    rules = "avatar wall > addTimer timer=2 ftype=transformToAll stype=bulb stypeTo=lit"
    game = small(types, rules, "Aw.b", "b > bulb")
    assert places(game, play(game, RIGHT, LEFT), "lit") == []
    assert places(game, play(game, RIGHT, LEFT, IDLE), "lit") == [(3, 0)]


def test_fire_spreads_to_four_sides():
    types = "fire > Spreader limit=5 stype=ash\nash > Immovable"
    game = small(types, "ash wall > killSprite", "...\n.f.\n..A", "f > fire")
    state = play(game, IDLE, IDLE, IDLE)
    assert sorted(places(game, state, "ash")) == [(0, 1), (1, 0), (1, 2), (2, 1)]


def test_a_sprite_may_stop_at_the_edge_of_what_it_met():
    types = "ball > Missile orientation=RIGHT speed=0.7"
    game = small(types, "ball wall > stepBack pixelPerfect=True", "b..w\n...A", "b > ball")
    assert places(game, play(game, *[IDLE] * 6), "ball") == [(2, 0)]


def test_a_belt_turns_what_comes_and_puts_it_in_line():
    types = "box > Missile orientation=RIGHT speed=0.5\nbelt > Immovable orientation=DOWN"
    game = small(types, "box belt > attractGaze align=True", "b.v.\n...A", "b > box\nv > belt")
    state = play(game, *[IDLE] * 5)
    assert places(game, state, "box") == [(2, 0.5)]


@pytest.mark.long
def test_a_chaser_along_paths_goes_round_the_wall():
    types = "wolf > PathChaser stype=avatar"
    game = small(types, "wolf wall > stepBack", "f.w.A\n..w..\n.....", "f > wolf")
    state = play(game, *[IDLE] * 8)
    assert places(game, state, "wolf") == [(4, 0)]


def test_chasers_come_nearer_and_those_who_flee_go_away():
    types = "cat > Chaser stype=avatar\nmouse > Fleeing stype=avatar"
    game = small(types, "cat wall > stepBack", "c.......A.m....", "c > cat\nm > mouse")
    state = play(game, IDLE, IDLE, IDLE)
    assert places(game, state, "cat") == [(3, 0)]
    (mouse,) = places(game, state, "mouse")
    assert abs(mouse[0] - 8) + abs(mouse[1]) == 5


def test_an_avatar_that_flies_on_is_turned_only():
    game = small("avatar > OngoingAvatar speed=0.5", "avatar wall > stepBack", "....\nA...\n....")
    assert places(game, play(game, IDLE, IDLE, IDLE), "avatar") == [(1, 1)]
    assert places(game, play(game, IDLE, UP, UP), "avatar") == [(0, 0)]


def test_an_avatar_shoots_where_it_looks_and_turns_before_it_walks():
    types = "avatar > ShootAvatar stype=dart\ndart > Missile singleton=True"
    game = small(types, "dart EOS > killSprite", "....\n.A..")
    state = play(game, UP, USE)
    assert places(game, state, "avatar") == [(1, 1)]
    assert places(game, state, "dart") == [(1, 0)]


def test_ammunition_is_used_up():
    types = "avatar > ShootAvatar stype=dart ammo=darts\ndart > Immovable\ndarts > Resource limit=9"
    game = small(types, "darts avatar > collectResource", "Ad..", "d > darts")
    state = play(game, USE, RIGHT, USE, USE)
    assert len(places(game, state, "dart")) == 1


def test_a_pool_that_runs_full_says_which_limit_to_raise():
    game = small(
        "tap > SpawnPoint stype=drop\ndrop > Immovable",
        "drop wall > killSprite",
        "tA",
        "t > tap",
        "Timeout limit=1000",
    )
    with pytest.raises(ProblemError, match=r"sprites=1000 .*--sprites 1000"):
        play(game, *[IDLE] * 300)
    more = small(
        "tap > SpawnPoint stype=drop\ndrop > Immovable",
        "drop wall > killSprite",
        "tA",
        "t > tap",
        "Timeout limit=1000",
        sprites=400,
    )
    assert len(places(more, play(more, *[IDLE] * 300), "drop")) == 300


def test_timers_that_run_full_are_told_and_not_dropped():
    rules = "avatar wall > addTimer timer=500 ftype=killAll stype=nothing"
    game = small("", rules, "A", "A > avatar wall", "Timeout limit=1000")
    assert play(game, *[IDLE] * 64).timers == 64
    with pytest.raises(ProblemError, match="64 timers"):
        play(game, *[IDLE] * 65)


def test_an_ending_that_cannot_end_the_game_does_not():
    ends = "SpriteCounter stype=nothing canEnd={} win=True\nTimeout limit=3"
    for text, ended in (("True", 1), ("False", 0)):
        assert play(small("", "", "A", "", ends.format(text)), IDLE).ended == ended


def test_what_is_only_active_is_not_carried_on_by_its_orientation():
    types = "ball > Missile orientation=RIGHT\n    still > only_active=True"
    game = small(types, "ball wall > stepBack", "b...\ns..A", "b > ball\ns > still")
    state = play(game, *[IDLE] * 3)
    assert places(game, state, "ball") == [(2, 0)]
    assert places(game, state, "still") == [(0, 1)]


def test_no_resource_is_paid_where_none_is_asked_for():
    types = "gold > Resource limit=5\nnest > Immovable\negg > Immovable"
    rules = (
        "gold avatar > collectResource\n"
        "avatar nest > spawnIfHasMore stype=egg resource=null limit=0 spend=3\n"
        "nest avatar > killIfOtherHasMore resource=gold limit=1"
    )
    game = small(types, rules, "Agn", "g > gold\nn > nest")
    state = play(game, RIGHT, RIGHT)
    assert places(game, state, "egg") == [(2, 0)]
    assert places(game, state, "nest") == []


def test_a_level_of_sixty_by_sixty_is_played():
    level = "\n".join(["b" * 60] * 59 + ["b" * 59 + "A"])
    game = small("bush > Immovable", "bush avatar > killSprite scoreChange=1", level, "b > bush")
    state = play(game, LEFT, UP)
    assert state.score == 2
    assert len(places(game, state, "bush")) == 3597


def test_paths_are_not_sought_between_too_many_cells():
    level = "\n".join(["." * 60] * 59 + ["f" + "." * 58 + "A"])
    with pytest.raises(ProblemError, match="3,600 cells; paths are found between 2,048"):
        small("wolf > PathChaser stype=avatar", "", level, "f > wolf")


def random_moves(game, n: int, seed: int) -> np.ndarray:
    legal = [int(move) for move in game.legal_moves(game.root()[0])]
    return np.random.default_rng(seed).choice(legal, n)


@pytest.mark.parametrize("name", list(ARCADE))
def test_a_state_copied_in_mid_game_goes_on_the_same(name):
    game = load_arcade(name)
    moves = random_moves(game, 60, 1)
    with wrapping():
        states = after_each(game, 3, moves, compiled=False)
    other = game.new_states(2)
    with wrapping():
        game.copy_world(states[29], other[0])
        copy_record(states[29], other[1])
        for k in range(30, 60):
            for copied in other:
                game.play(copied, moves[k])
                assert seen(game, copied) == seen(game, states[k])


@pytest.mark.parametrize("name", list(ARCADE))
@pytest.mark.parametrize("seed", [1, long(2), long(3)])
def test_shortcuts_change_nothing(name, seed):
    """What is looked up by cells is what testing all pairs finds."""
    quick, naive = load_arcade(name, 1), load_arcade(name, 1, shortcuts=False)
    moves = random_moves(quick, 120, seed)
    with wrapping():
        ours = after_each(quick, seed, moves, compiled=False)
        theirs = after_each(naive, seed, moves, compiled=False)
    for one, other in zip(ours, theirs, strict=True):
        assert seen(quick, one) == seen(naive, other)


@pytest.mark.parametrize("name", ["orchard", long("crates"), long("beacon")])
def test_own_games_keep_the_contract(name):
    """Plain; compiled they do in tests/check/test_checked.py."""
    report = check_problem(load_arcade(name), games=1, seed=1, compiled=False)
    assert report.passed, str(report)


@needs_traces
@pytest.mark.long
def test_games_of_the_data_folder_keep_the_contract():
    report = check_problem(data_game("zelda", 0), games=1, seed=1, compiled=False)
    assert report.passed, str(report)


def test_outcomes_are_ordered_and_worth_what_the_paper_says():
    game = load_arcade("crates")
    lost, playing, won = (np.zeros(3, game.outcome_type)[k] for k in range(3))
    lost.standing, playing.standing, won.standing = 0, 1, 2
    lost.score, playing.score, won.score = 90, 4, 0
    assert [game.better(won, playing), game.better(lost, playing), game.better(lost, lost)] == [
        1,
        -1,
        0,
    ]
    assert game.worth(won, 0, 90) == pytest.approx(2 / 3)
    assert game.worth(lost, 0, 90) == pytest.approx(1 / 3)
    assert game.worth(playing, 4, 4) == pytest.approx(1 / 2)


def test_the_luck_to_come_is_drawn_anew():
    game = load_arcade("orchard")
    one, other = game.root(1), game.root(2)
    assert one[0].luck[0] != other[0].luck[0]
    with wrapping():
        rng = np.array([stream_of(np.uint64(1), 7)], np.uint64)
        game.redraw(one[0], 0, rng.copy())
        game.redraw(other[0], 0, rng.copy())
    assert one.tobytes() == other.tobytes()
    assert int(one[0].luck[0]) < 1 << 48


def test_few_sprites_have_their_characters_in_the_picture_and_a_line_names_them():
    game = load_arcade("orchard", 0)
    picture = game.svg(game.root()[0])
    assert ">ttt</text>" in picture  # three trees
    assert ">A</text>" in picture
    assert "t tree, y wasp, A avatar" in picture
    assert "wall" not in picture  # of which there are many
