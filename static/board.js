/* The board: squares to tap, pieces to drag, the line of moves on their way. Without it the links of a piece lead to a
   list of its squares. What comes first hears of taps first. */

import "./board_view.js";
import "./board_line.js";
import "./board_taps.js";
import "./board_cards.js";
import "./board_fresh.js";
import "./board_chips.js";
import "./board_drag.js";
import "./board_press.js";
