// A report of the store or of a paper: the frame around the page that `playout report` writes.
import { frame } from "./common.js";

frame(location.pathname.split("/")[1]);
