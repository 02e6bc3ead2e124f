// The dealer's tablet: a table with its rounds, or a keyed scoreboard that stands alone.
import { byId } from "./dom.js";
import { runBoard } from "./dealer-keyed.js";
import { runTable } from "./dealer-table.js";

const place = byId("dealer");
(place.dataset.keyed === "yes" ? runBoard : runTable)(place);
