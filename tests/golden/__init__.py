"""Golden playthroughs: stored games that every later commit plays again, and what each step of them came to."""
