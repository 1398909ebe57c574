"""What the claims and the figures of a paper share: algorithms, graphs, and quantities derived from the tables."""
