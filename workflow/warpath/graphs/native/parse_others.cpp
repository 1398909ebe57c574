// Parse what few files have: METIS adjacency.
#include "parse.hpp"

// Parses METIS adjacency: one line per vertex, with `skip` numbers about the vertex and then its neighbours. A blank
// line is a vertex without neighbours. Tails count from 0 in each block; outcome->column returns the number of
// vertices.
extern "C" void parse_adjacency(const char* text, int64_t length, const Dialect* dialect, uint32_t* tails,
                                uint32_t* targets, int32_t* weights, int32_t skip, Outcome* outcome) {
    Reader reader{text, *dialect, text + length};
    Weights stored{weights};
    const char* end = text + length;
    int64_t edges = 0, lines = 0;
    uint32_t vertex = 0;
    Error error = none;
    for (; reader.at < end && !error; ++lines) {
        if (reader.comment()) {
            reader.skip_line(end);
            continue;
        }
        for (int32_t i = 0; i < skip && !error; ++i) {
            double ignored;
            error = reader.weight(ignored);
        }
        for (reader.skip_blanks(); !error && *reader.at != '\n'; reader.skip_blanks()) {
            if ((error = reader.id(targets[edges]))) break;
            if (dialect->weighted) {
                double weight;
                if ((error = reader.weight(weight))) break;
                stored.put(edges, weight);
            }
            tails[edges++] = vertex;
        }
        if (error) break;
        ++reader.at;
        ++vertex;
    }
    int64_t rounded = reader.rounded + stored.rounded;
    *outcome = {edges, lines, reader.at - text, rounded, error, stored.fractional, 0, error ? 4 : vertex};
}
