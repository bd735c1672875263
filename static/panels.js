/* What only some panels need. It comes with them, and runs once however often they come. Everything works without
   it. */

import "./dice_pad.js";
import "./time_limits.js";
import "./number_steps.js";
import "./saved_lists.js";
import "./text_files.js";
import "./stored_files.js";
import "./clocks.js";
import "./tracker_order.js";
import "./long_table.js";
