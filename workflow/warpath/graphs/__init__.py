"""Graphs: the catalogue, downloads, readers and generators, cleaning, and storage as Parquet CSR."""
