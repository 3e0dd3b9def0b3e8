"""Games in the Video Game Description Language, as GVGAI plays them."""
