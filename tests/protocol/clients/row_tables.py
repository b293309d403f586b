"""pyarrow, DuckDB and Polars read a table of rows, and write what was selected from it.

Usage: row_tables.py compare NPZ PARQUET          NumPy's reading of the one against pyarrow's of the other
       row_tables.py select PARQUET FOLDER        writes FOLDER/{pyarrow,duckdb,polars,snappy}.parquet
       row_tables.py join ROWS GAMES GENERATIONS  what DuckDB makes of the tables of a run
(with the packages on PYTHONPATH)
Prints one JSON object.
"""

import json
import os
import sys
import zlib

import duckdb
import numpy
import polars
import pyarrow.parquet

ARRAYS = {
    "globals": ("globalInputNC", "<f4"),
    "policy": ("policyTargetsNCMove", "<i2"),
    "targets": ("globalTargetsNC", "<f4"),
    "scores": ("scoreDistrN", "|i1"),
    "spatial": ("valueTargetsNCHW", "|i1"),
    "q_values": ("qValueTargetsNCMove", "<i2"),
}


def compare(npz, parquet):
    arrays = numpy.load(npz)
    table = pyarrow.parquet.read_table(parquet)
    rows = table.num_rows
    parts = {"edges": table["edges"].to_numpy().astype("|u1"), "planes": b"".join(table["planes"].to_pylist())}
    assert (parts["edges"] == arrays["boardEdgesN"]).all()
    assert parts["planes"] == arrays["binaryInputNCHWPacked"].tobytes()
    for column, (name, kind) in ARRAYS.items():
        found = table[column].combine_chunks().flatten().to_numpy()
        assert found.dtype == numpy.dtype(kind), (column, found.dtype)
        # As bytes: zeros have signs.
        assert found.tobytes() == arrays[name].tobytes(), column
        parts[column] = found.tobytes()
    data = [parts["edges"].tobytes(), parts["planes"], *(parts[column] for column in ARRAYS)]
    for row, checksum in enumerate(table["checksum"].to_pylist()):
        found = 0
        for part in data:
            width = len(part) // rows
            found = zlib.crc32(part[row * width : (row + 1) * width], found)
        assert found == checksum, row
    targets = arrays["globalTargetsNC"]
    for column, place in {"self_komi": 47, "visits": 60, "win": 0, "score": 20, "policy_surprise": 30}.items():
        assert (table[column].to_numpy() == targets[:, place]).all(), column
    counted = duckdb.execute(
        "SELECT count(*), sum(targets[21]::DOUBLE), max(policy[1]), sum(len(spatial)), sum(octet_length(planes))"
        " FROM read_parquet(?)",
        [parquet],
    ).fetchone()
    total = float(targets[:, 20].astype("f8").sum())
    assert counted[0] == rows and abs(counted[1] - total) <= 1e-9 * abs(total), counted
    assert counted[2] == arrays["policyTargetsNCMove"][:, 0, 0].max()
    assert counted[3] == arrays["valueTargetsNCHW"].size and counted[4] == arrays["binaryInputNCHWPacked"].size
    frame = polars.read_parquet(parquet)
    assert (frame["q_values"].list.sum().to_numpy() == arrays["qValueTargetsNCMove"].sum(axis=(1, 2))).all()
    metadata = {
        key.decode(): value.decode()
        for key, value in (table.schema.metadata or {}).items()
        if key.startswith(b"honinbo.")
    }
    return {"rows": rows, "metadata": metadata, "types": [f"{field.name} {field.type}" for field in table.schema]}


def select(parquet, folder):
    def named(name):
        return os.path.join(folder, name + ".parquet")

    table = pyarrow.parquet.read_table(parquet)
    backwards = table.take(list(range(table.num_rows - 1, -1, -1)))
    pyarrow.parquet.write_table(backwards, named("pyarrow"), compression="zstd")
    pyarrow.parquet.write_table(backwards, named("snappy"), compression="snappy")
    duckdb.execute(
        f"COPY (SELECT * FROM '{parquet}' WHERE width > 3) TO '{named('duckdb')}' (FORMAT parquet, COMPRESSION zstd)"
    )
    polars.read_parquet(parquet).filter(polars.col("height") > 3).write_parquet(named("polars"), compression="zstd")
    return {name: pyarrow.parquet.read_metadata(named(name)).num_rows for name in ("pyarrow", "duckdb", "polars")}


def join(rows, games, generations):
    def one(query):
        return duckdb.execute(query).fetchone()

    return {
        "rows": one(f"SELECT count(*) FROM '{rows}'")[0],
        "games": one(f"SELECT count(*), count(DISTINCT game) FROM '{games}'"),
        "joined": one(
            f"SELECT count(*) FROM '{rows}' r JOIN '{games}' g"
            " ON r.game = g.game AND r.generation = g.generation AND r.file = g.file"
            " AND r.width = g.width AND r.height = g.height AND r.turn < g.moves"
        )[0],
        "generations": duckdb.execute(
            f"SELECT generation, games, rows, steps, taken, loss > 0 FROM '{generations}' ORDER BY generation"
        ).fetchall(),
    }


if __name__ == "__main__":
    print(json.dumps({"compare": compare, "select": select, "join": join}[sys.argv[1]](*sys.argv[2:])))
