/* What a board has under way, for those that draw it and those that change it. */

export const line = []; // moves that are on their way, or wait for those
export const lifted = { pick: null }; // the pick whose piece is dragged
// On a real board a piece that stands elsewhere is put there by a tap on any square where nobody stands.
export const correction = {
  misplaced: null, // the pick whose place is corrected
  corrected: null, // the one that was corrected last: it stays picked
};
