use std::collections::BTreeMap;
use std::ffi::CStr;
use std::os::raw::c_char;
use std::ptr::null;
use std::slice::{from_raw_parts, from_raw_parts_mut};

#[repr(C)]
pub struct Arrays {
    offsets: *const i64,
    narrow_offsets: *const i32,
    targets: *const i32,
    weights: *const i32,
}

#[repr(C)]
pub struct Graph {
    vertices: i64,
    arcs: i64,
    directed: i32,
    max_weight: i32,
    threads: i32,
    problem: *const c_char,
    host: Arrays,
    card: Arrays,
}

pub struct Search {
    offsets: &'static [i64],
    targets: &'static [i32],
    weights: &'static [i32],
    delta: i64,
}

#[no_mangle]
pub unsafe extern "C" fn prepare(graph: &Graph, launch: *const c_char, handle: &mut *mut Search) -> *const c_char {
    let (arcs, arrays) = (graph.arcs as usize, &graph.host);
    let launch = CStr::from_ptr(launch).to_str().unwrap_or("");
    *handle = Box::into_raw(Box::new(Search {
        offsets: from_raw_parts(arrays.offsets, graph.vertices as usize + 1),
        targets: from_raw_parts(arrays.targets, arcs),
        weights: from_raw_parts(arrays.weights, arcs),
        delta: launch.trim_start_matches("delta=").parse().unwrap_or(64),
    }));
    null()
}

#[no_mangle]
pub unsafe extern "C" fn solve(search: &Search, source: i64, answer: *mut i32) -> *const c_char {
    let distance = from_raw_parts_mut(answer, search.offsets.len() - 1);
    distance.fill(i32::MAX);
    distance[source as usize] = 0;
    let mut buckets = BTreeMap::from([(0, vec![source as usize])]);
    while let Some(&number) = buckets.keys().next() {
        for vertex in buckets.remove(&number).unwrap_or_default() {
            let near = distance[vertex] as i64;
            if near / search.delta < number {
                continue; // it was settled in an earlier bucket
            }
            for arc in search.offsets[vertex] as usize..search.offsets[vertex + 1] as usize {
                let (target, far) = (search.targets[arc] as usize, near + search.weights[arc] as i64);
                if far < distance[target] as i64 {
                    distance[target] = far as i32;
                    buckets.entry(far / search.delta).or_insert_with(Vec::new).push(target);
                }
            }
        }
    }
    for each in distance.iter_mut().filter(|each| **each == i32::MAX) {
        *each = -1;
    }
    null()
}

#[no_mangle]
pub unsafe extern "C" fn release(search: *mut Search) -> *const c_char {
    drop(Box::from_raw(search));
    null()
}
