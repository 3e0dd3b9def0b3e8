// The page of a film: its pictures are put together from parts that they share.
const { parts, pictures, steps } = JSON.parse(document.getElementById("film").textContent);
const film = document.querySelector("lab-film");
film.take({
  steps,
  show: (board, at) => board.show(pictures[at].map((part) => parts[part]).join(""), steps[at].name, steps[at].text),
});
document.addEventListener("keydown", (event) => film.key(event));
film.begin();
