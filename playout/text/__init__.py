"""What texts mean: NAME:OPTION=VALUE, options and their values, registries of names, files.

The lowest room: it knows no other, and every other may use it.

- `grammar.py`: the one grammar in which things are named, NAME:OPTION=VALUE,...
- `options.py`: what an option is, where it is declared, how its value is read and checked;
- `registry.py`: names and what they stand for, built in or from other packages;
- `user_files.py`: a user's own class in a Python file;
- `input_files.py`, `output_files.py`: reading files, and writing them whole or not at all;
- `numbers.py`: numbers as a person reads them.
"""
