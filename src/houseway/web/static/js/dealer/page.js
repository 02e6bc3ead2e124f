// The dealer's tablet: a table with its rounds, or a keyed scoreboard that stands alone.
import { byId } from "../shared/dom.js";
import { runBoard } from "./scoreboard.js";
import { runTable } from "./table.js";

const place = byId("dealer");
(place.dataset.keyed === "yes" ? runBoard : runTable)(place);
