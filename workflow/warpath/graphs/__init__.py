"""From a name in the catalogue to Parquet CSR that loads at memory speed."""
