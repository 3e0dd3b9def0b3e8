"""Go, Atarigo and NoGo: rules, board, notation, superko."""
