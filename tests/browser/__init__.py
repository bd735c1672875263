"""Tests in a real browser; a package, so that one browser and one server serve all that a worker runs of them."""
