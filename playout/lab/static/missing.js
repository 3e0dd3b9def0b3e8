// A page that is not there: the frame, with its ways out.
import { frame } from "./common.js";

frame("");
