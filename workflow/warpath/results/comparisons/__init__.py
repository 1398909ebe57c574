"""Compare finished measurements with each other: two of anything, or many in order. Nothing is measured here."""
