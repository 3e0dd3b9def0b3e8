"""A script with three mistakes, each of which a type checker finds."""

import playout as po

po.solve(po.problems.Maximum(9), po.NMCS(level="two"))
po.solve(po.problems.Maximum(9), seeds=1)
print(po.solve(po.problems.Maximum(9)).scores)
