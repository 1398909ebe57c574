"""Cleaning, compared with a model of plain NumPy and SciPy."""

import dataclasses
import multiprocessing

import numpy as np
import pytest
from graphs.conftest import arcs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from small_graphs import from_edges

from warpath.base import processor
from warpath.base.errors import UserError
from warpath.graphs import clean as cleaning
from warpath.graphs import csr, generators, library, weights
from warpath.graphs.blocks import Block, EdgeList
from warpath.graphs.clean import clean

STEPS = {"self_loops": "drop", "largest_component": False, "relabel": True}


@st.composite
def edge_lists(draw):
    ids = draw(st.lists(st.integers(0, draw(st.sampled_from([5, 70, 5000]))), min_size=1, max_size=12, unique=True))
    end = st.sampled_from(ids)
    weighted = draw(st.booleans())
    weight = st.integers(0, 2**31 - 1) if draw(st.booleans()) else st.integers(0, 3)
    edges = draw(st.lists(st.tuples(end, end, weight), min_size=1, max_size=40))
    return edges, weighted


def edge_list(ends, vertices, weights=None, size=1 << 20):
    """Edges in blocks of `size`, between all ids below `vertices`."""
    parts = [slice(begin, begin + size) for begin in range(0, len(ends[0]), size)]
    columns = [np.asarray(ids, np.uint32) for ids in ends] + [weights] * (weights is not None)
    return EdgeList([Block(*(column[part].copy() for column in columns)) for part in parts], vertices, all_ids=True)


def listed(edges, weighted, size):
    """The edges as a reader returns them, with the ids that occur."""
    tails, targets, lengths = np.array(edges).T
    ids = np.concatenate([tails, targets]).astype(np.uint64)
    seen = library.bitmap(int(ids.max()) + 1)
    np.bitwise_or.at(seen, ids // 64, np.uint64(1) << ids % 64)
    edges = edge_list([tails, targets], int(ids.max()) + 1, lengths.astype(np.int32) if weighted else None, size)
    return dataclasses.replace(edges, all_ids=False, seen=seen)


def random_ends(vertices, edges, seed=3):
    return np.random.default_rng(seed).integers(0, vertices, (2, edges))


def model(edges, steps, directed):
    """The clean graph by plain NumPy and SciPy: labels, and each row's targets with their weights."""
    tails, targets, weights = np.array(edges).T
    labels = np.unique([tails, targets]) if steps["relabel"] else np.arange(max(tails.max(), targets.max()) + 1)
    ends, keeps_loops = np.searchsorted(labels, [tails, targets]), steps["self_loops"] == "keep"
    graph = from_edges("g", *ends, weights, len(labels), directed, loops=keeps_loops)
    rows = csr_array((graph.weights, graph.targets, graph.offsets), (len(labels), len(labels)))
    if steps["largest_component"]:
        _, component = connected_components(csr_array((np.ones(graph.arcs), graph.targets, graph.offsets), rows.shape))
        kept = np.flatnonzero(component == np.bincount(component).argmax())
        labels, rows = labels[kept], rows[kept][:, kept]
    return labels, rows


def hashed(policy, tails, targets):
    """The hashed weights of arrays of pairs, in plain NumPy."""
    low, high, seed, _ = weights.drawn(policy)
    smaller, larger = np.minimum(tails, targets).astype(np.uint64), np.maximum(tails, targets).astype(np.uint64)
    with np.errstate(over="ignore"):
        mixed = (smaller * np.uint64(0x9E3779B97F4A7C15)) ^ (larger * np.uint64(0xC2B2AE3D27D4EB4F) + np.uint64(seed))
        mixed ^= mixed >> np.uint64(31)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(29)
    return (mixed % np.uint64(high - low + 1)).astype(np.int32) + np.int32(low)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    edge_lists(),
    st.booleans(),
    st.sampled_from(["drop", "keep"]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([1, 3, 1000]),
    st.sampled_from([1, 4, 1 << 15]),
)
def test_against_the_model(monkeypatch, edge_list, directed, loops, largest, relabel, block, bucket):  # noqa: PLR0913
    edges, weighted = edge_list
    steps = {"self_loops": loops, "largest_component": largest, "relabel": relabel}
    monkeypatch.setattr(cleaning, "ARCS_PER_BUCKET", bucket)
    monkeypatch.setattr(cleaning.library, "SLICES", 3)
    cleaned = clean(listed(edges, weighted, block), steps, directed, "auto", "g")
    labels, rows = model(edges, steps, directed)
    assert cleaned.labels.tolist() == labels.tolist()
    assert cleaned.offsets.tolist() == rows.indptr.tolist() and cleaned.targets.tolist() == rows.indices.tolist()
    tails = np.repeat(np.arange(len(labels)), np.diff(rows.indptr))
    expected = rows.data if weighted else hashed(weights.DEFAULT, tails, rows.indices)
    assert cleaned.weights.tolist() == expected.tolist()


def test_every_step_is_counted():
    edges = [(0, 0, 1), (0, 1, 1), (1, 0, 1), (0, 1, 1), (2, 3, 1), (9, 9, 1)]
    cleaned = clean(listed(edges, False, 2), STEPS | {"largest_component": True}, False, "unit", "g")
    assert {step["step"]: step["count"] for step in cleaned.metadata["cleaning"]} == {
        "self-loops dropped": 2,
        "duplicates merged": 2,
        "edges stored in both directions": 2,
        "vertices outside the largest component dropped": 3,
        "weights: unit": 2,
    }


@pytest.mark.parametrize("policy", ["1..255", "file"])
def test_neither_threads_nor_buckets_matter(policy, monkeypatch):
    ends, lengths = random_ends(3000, 50_000), np.random.default_rng(1).integers(0, 99, 50_000, np.int32)
    digests = set()
    for threads, size in ("1", 1 << 15), ("5", 1 << 15), ("1", 50), ("5", 50):
        monkeypatch.setenv("WARPATH_THREADS", threads)
        monkeypatch.setattr(cleaning, "ARCS_PER_BUCKET", size)
        edges = edge_list(ends, 3000, lengths if policy == "file" else None, 700)
        digests.add(csr.digest(clean(edges, STEPS, False, policy, "g")))
    assert len(digests) == 1


@pytest.mark.parametrize("factor", [0, 2**11, 0.5], ids=["without weights", "large", "fractional"])
def test_many_vertices_and_long_rows(factor):
    """More bits of tails and targets than one pass of the sort takes, beside which weights do not fit."""
    n, count = 3_000_000, 20_000
    ends = random_ends(n, count)
    ends[0, :9000] = 7
    ends[:, 9000:10_000] = ends[:, 10_000:11_000]
    lengths = np.random.default_rng(5).integers(0, 2**19, count) * factor
    lengths = lengths.astype(np.float32 if factor == 0.5 else np.int32) if factor else None
    cleaned = clean(edge_list(ends, n, lengths), STEPS, False, "file" if factor else "unit", "g")
    assert csr.digest(cleaned) == csr.digest(from_edges("g", *ends, lengths, n))


def test_ids_up_to_the_limit_cost_nothing_in_a_graph_that_is_relabelled(convert, monkeypatch):
    monkeypatch.setattr(processor, "free_bytes", lambda: 4 * 10**9)
    graph = convert("2147483647 0\n5 2147483647\n", weights="unit", directed=True)
    assert arcs(graph) == {(2147483647, 0): 1, (5, 2147483647): 1}
    assert graph.labels.tolist() == [0, 5, 2147483647]


@pytest.mark.parametrize("policy", ["1..255 seed 7", "1..10", "0..0", "5..2147483647 seed 123456789012"])
def test_hashed_weights(policy):
    cleaned = clean(edge_list(random_ends(100, 500), 100), STEPS, False, policy, "g")
    tails = np.repeat(np.arange(100), np.diff(cleaned.offsets))
    assert cleaned.weights.tolist() == hashed(weights.resolve(policy, False), tails, cleaned.targets).tolist()


def test_weights_with_a_heavy_tail():
    policy = weights.resolve("heavy 5..5000", False)
    assert policy == "heavy 5..5000 seed 7"
    cleaned = clean(edge_list(random_ends(3000, 100_000), 3000), STEPS, False, policy, "g")
    assert cleaned.weights.min() == 5 and cleaned.weights.max() == 5000
    for times in (2, 10, 100, 1000):
        share = (cleaned.weights >= 5 * times).mean()
        assert abs(share - 1 / times) < 4 * (1 / times / len(cleaned.weights)) ** 0.5


def test_weights_by_quantiles():
    policy = weights.in_words({"quantiles": [10, 20, 90]})
    cleaned = clean(edge_list(random_ends(3000, 100_000), 3000), STEPS, False, policy, "g")
    shares = [(cleaned.weights <= weight).mean() for weight in (9, 10, 20, 55, 89, 90)]
    assert shares == pytest.approx([0, 1 / 6, 1 / 2, 2 / 3, 5 / 6, 1], abs=0.02)


def test_a_bucket_holds_no_more_arcs_than_native_code_counts(monkeypatch):
    monkeypatch.setattr(cleaning, "LARGEST_BUCKET", 2)
    edges = listed([(0, 1, 1), (0, 2, 1)], False, 10)
    with pytest.raises(UserError, match="g: 3 of 4 arcs leave 2 vertices; at most 2 may"):
        clean(edges, STEPS, False, "unit", "g")


def test_a_graph_that_does_not_fit_into_the_memory_is_refused(monkeypatch):
    monkeypatch.setattr(processor, "free_bytes", lambda: 10**6)
    needed = r"g: 2 vertices, up to 200,000 arcs: needs 0\.0 GB of memory, and 0\.0 GB are available"
    with pytest.raises(UserError, match=needed):
        clean(edge_list(np.zeros((2, 100_000), np.uint32), 2), STEPS, False, "unit", "g")


def test_weights_are_gathered_where_memory_is_given_back():
    """Enough arcs for whole pages to be given back many times."""
    ends, lengths = random_ends(70_000, 1_000_000), np.arange(1_000_000, dtype=np.int32)
    cleaned = clean(edge_list(ends, 70_000, lengths), STEPS, True, "file", "g")
    assert csr.digest(cleaned) == csr.digest(from_edges("g", *ends, lengths, 70_000, directed=True))


def bytes_an_arc(folder):
    """The memory at the peak while a graph is generated, cleaned and written."""
    library.load_usual()
    library.load("gap")
    base = processor.reset_peak()
    graph = clean(generators.generate({"kind": "gap_kron", "scale": 20}), STEPS, False, "gap", "g")
    csr.write(graph, folder)
    return (processor.memory("VmHWM") - base) / graph.arcs


@pytest.mark.slow
def test_a_generated_graph_takes_less_than_12_bytes_an_arc(tmp_path):
    """A process of its own, because memory that other tests have freed would not be counted."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(bytes_an_arc, [tmp_path]) < 12
