"""The kinds of run that an experiment may have, a file each."""

from playout.text.registry import Entry, Registry

KINDS = Registry(
    "kind of run",
    "playout.kinds",
    {
        "solve": Entry("playout.study.kinds.solve:Solve"),
        "match": Entry("playout.study.kinds.match:Match"),
        "speed": Entry("playout.study.kinds.speed:Speed"),
        "episodes": Entry("playout.study.kinds.episodes:Episodes"),
        "duplicate": Entry("playout.study.kinds.duplicate:Duplicate"),
        "choice": Entry("playout.study.kinds.choice:Choice"),
        "color": Entry("playout.study.kinds.color:Color"),
        "scan": Entry("playout.study.kinds.scan:Scan"),
        "train": Entry("playout.study.kinds.train:Train"),
        "prove": Entry("playout.study.kinds.prove:Prove"),
        "generations": Entry("playout.study.kinds.generations:Generations"),
    },
)
