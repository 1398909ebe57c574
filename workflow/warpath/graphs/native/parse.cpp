// Parse edges from text, as nearly all files have them.
#include "parse.hpp"

// Parses edges `u v` or `u v weight`. Sets a bit in `seen`, if not null, for every id that occurs.
extern "C" void parse_edges(const char* text, int64_t length, const Dialect* dialect, uint32_t* tails,
                            uint32_t* targets, int32_t* weights, uint64_t* seen, Outcome* outcome) {
    Reader reader{text, *dialect, text + length};
    Weights stored{weights};
    uint32_t largest = 0;
    auto store = [&](int64_t place, uint32_t u, uint32_t v) {
        largest = std::max({largest, u, v});
        if (seen) {
            mark(seen, u);
            mark(seen, v);
        }
        tails[place] = u;
        targets[place] = v;
    };
    auto edge = [&](int64_t place) {
        uint32_t u, v;
        double weight;
        reader.column = 1;
        if (Error error = reader.id(u)) return error;
        reader.column = 2;
        if (Error error = reader.id(v)) return error;
        if (dialect->weighted) {
            reader.column = 3;
            if (Error error = reader.weight(weight)) return error;
            stored.put(place, weight);
        }
        store(place, u, v);
        return none;
    };
    auto read_usual = [&](int64_t first) {
        const uint64_t first_id = dialect->first, ids = dialect->last - first_id;
        int64_t place = first;
        auto take = [&](const uint64_t* numbers) {
            uint64_t u = numbers[0] - first_id, v = numbers[1] - first_id;
            if (std::max(u, v) > ids) return false;
            store(place++, static_cast<uint32_t>(u), static_cast<uint32_t>(v));
            return true;
        };
        auto take_with_weight = [&](const uint64_t* numbers) {
            if (numbers[2] > 2147483647) return false;
            stored.put(place, static_cast<double>(numbers[2]));
            return take(numbers);
        };
        if (!dialect->weighted)
            usual_lines<2>(text, text + length, *dialect, reader.at, take);
        else if (!dialect->scale)
            usual_lines<3>(text, text + length, *dialect, reader.at, take_with_weight);
        return place - first;
    };
    *outcome = each_line(reader, text + length, edge, read_usual);
    outcome->fractional = stored.fractional;
    outcome->rounded += stored.rounded;
    outcome->largest = static_cast<uint32_t>(largest);
}

// Sets the bit of each id.
extern "C" void mark_ids(const uint32_t* ids, int64_t count, uint64_t* seen) {
    for (int64_t i = 0; i < count; ++i) mark(seen, ids[i]);
}
