"""RNA inverse folding: the problem, folding by ViennaRNA, targets as files, the referee."""
