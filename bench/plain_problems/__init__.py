"""Problems written as a new user would: what the plain command is measured on (`bench.plain`)."""
