"""What tabletop games are made of: asking, rulings, odds, cards, squares, panels and rulebooks; all of it pure."""
