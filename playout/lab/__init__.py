"""The lab: Playout in the browser, on the user's own computer (`playout lab`).

- `serving.py`, `server.py`: start and end; routes and pages;
- `guard.py`: who may talk to it: host, origin, token, response headers;
- `shelf.py`: what there is to choose from, and what was named at the start;
- `asked.py`, `asked_values.py`: from a page's JSON to a checked task, its command and its Python;
- `tasks.py`, `task_under_way.py`, `task_folder.py`: searches and games under way, their
  processes and folders;
- `worker.py`, `game_worker.py`, `study_worker.py`: the process of one of them;
- `films.py`: the pictures of a sequence of moves;
- `reading.py`: store, papers and matches;
- `static/`: the pages.

Nothing imports it but the command. Starlette and uvicorn are the extra `lab`.
"""
