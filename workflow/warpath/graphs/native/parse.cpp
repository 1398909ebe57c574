// Edge lists from text. A block holds whole lines and ends with a newline, so that no loop needs to look for the end
// of the block inside a line. Blocks are independent: threads parse several at once.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace {

enum Error {
    none,
    not_a_number,
    negative_id,
    id_too_large,
    too_few_columns,
    not_finite,
    weight_too_large,
    negative_weight,
    unexpected_line,
    id_too_small,
    too_many_columns
};

enum Negative { refuse, make_absolute, keep };

struct Dialect {
    char prefix;      // the letter that a line of data begins with, or 0
    char comment[3];  // letters that begin a line to skip
    char separator;   // besides blanks and tabs
    char strict;      // columns beyond the last are an error
    char weighted;    // the third column is a weight
    char negative;    // what to do with a negative weight
    uint32_t first;   // the smallest id, subtracted from all
    uint32_t last;    // the largest id
};

struct Outcome {
    int64_t edges, lines, error_at;  // error_at: the offset in the block of what could not be read
    int32_t error, fractional;       // fractional: the weights are float32, else int32
    uint32_t largest, column;
};

struct Reader {
    const char* at;
    const Dialect& dialect;
    uint32_t column = 0;  // what is being read, for complaints

    bool space() const { return *at == ' ' || *at == '\t' || (*at == '\r' && at[1] == '\n'); }
    bool blank() const { return space() || *at == dialect.separator; }
    void skip_spaces() {
        while (space()) ++at;
    }
    void skip_blanks() {  // and no more than one separator
        skip_spaces();
        if (*at == dialect.separator) {
            ++at;
            skip_spaces();
        }
    }
    void skip_line(const char* end) { at = static_cast<const char*>(memchr(at, '\n', end - at)) + 1; }
    bool comment() const { return *at == dialect.comment[0] || *at == dialect.comment[1] || *at == dialect.comment[2]; }

    Error prefix() {
        column = 0;
        if (!dialect.prefix) return none;
        return *at == dialect.prefix ? (++at, none) : unexpected_line;
    }

    Error finish_line(const char* end) {
        skip_spaces();
        if (*at == '\n') return ++at, none;
        if (dialect.strict) return too_many_columns;
        return skip_line(end), none;
    }

    Error id(uint32_t& value) {
        skip_blanks();
        const char* begin = at;
        uint64_t number = 0;
        for (unsigned digit; (digit = static_cast<unsigned char>(*at) - '0') < 10; ++at) number = number * 10 + digit;
        if (at == begin) return *at == '\n' ? too_few_columns : *at == '-' ? negative_id : not_a_number;
        if (at - begin > 10 || number > dialect.last) return at = begin, id_too_large;
        if (!blank() && *at != '\n') return at = begin, not_a_number;
        if (number < dialect.first) return at = begin, id_too_small;
        value = static_cast<uint32_t>(number) - dialect.first;
        return none;
    }

    Error weight(double& value) {
        skip_blanks();
        const char* begin = at;
        bool minus = *at == '-';
        if (minus || *at == '+') ++at;
        const char* digits = at;
        uint64_t number = 0;
        for (unsigned digit; (digit = static_cast<unsigned char>(*at) - '0') < 10; ++at) number = number * 10 + digit;
        value = static_cast<double>(number);
        if (at == digits || at - digits > 15 || !(blank() || *at == '\n')) {
            const char* end = digits;
            while (*end != ' ' && *end != '\t' && *end != '\r' && *end != '\n' && *end != dialect.separator) ++end;
            auto read = std::from_chars(digits, end, value);
            at = begin;
            if (end == digits) return too_few_columns;
            if (read.ec == std::errc::result_out_of_range) return weight_too_large;
            bool second_sign = *digits == '-';  // from_chars would take it
            if (second_sign || read.ec != std::errc() || read.ptr != end) return not_a_number;
            if (!std::isfinite(value)) return not_finite;
            at = end;
        }
        if (minus && value != 0) {
            if (dialect.negative == refuse) return at = begin, negative_weight;
            if (dialect.negative == keep) value = -value;
        }
        if (std::fabs(value) > 2147483647.0) return at = begin, weight_too_large;
        return none;
    }
};

// Weights are kept as int32 until the first that is not a whole number; then all of the block become float32.
struct Weights {
    int32_t* values;
    bool fractional = false;

    void put(int64_t place, double value) {
        if (!fractional && value != std::floor(value)) {
            fractional = true;
            for (int64_t i = 0; i < place; ++i) store(i, static_cast<float>(values[i]));
        }
        if (fractional)
            store(place, static_cast<float>(value));
        else
            values[place] = static_cast<int32_t>(value);
    }
    void store(int64_t place, float value) { memcpy(values + place, &value, sizeof value); }
};

inline void mark(uint64_t* seen, uint32_t id) {
    uint64_t bit = uint64_t(1) << (id & 63);
    if (!(__atomic_load_n(seen + (id >> 6), __ATOMIC_RELAXED) & bit))
        __atomic_fetch_or(seen + (id >> 6), bit, __ATOMIC_RELAXED);
}

// Has `read_line` read the columns of every line that is neither blank nor a comment; it is told which of them this is.
template <class ReadLine>
Outcome each_line(Reader& reader, const char* end, ReadLine read_line) {
    const char* begin = reader.at;
    int64_t found = 0, lines = 0;
    Error error = none;
    for (; reader.at < end; ++lines) {
        reader.skip_spaces();
        if (*reader.at == '\n') {
            ++reader.at;
            continue;
        }
        if (reader.comment()) {
            reader.skip_line(end);
            continue;
        }
        if ((error = reader.prefix()) || (error = read_line(found)) || (error = reader.finish_line(end))) break;
        ++found;
    }
    return {found, lines, reader.at - begin, error, 0, 0, reader.column};
}

}  // namespace

// `seen`, when given, gets a bit for every id that occurs.
extern "C" void parse_edges(const char* text, int64_t length, const Dialect* dialect, uint32_t* sources,
                            uint32_t* targets, int32_t* weights, uint64_t* seen, Outcome* outcome) {
    Reader reader{text, *dialect};
    Weights kept{weights};
    uint32_t largest = 0;
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
            kept.put(place, weight);
        }
        largest = std::max({largest, u, v});
        if (seen) {
            mark(seen, u);
            mark(seen, v);
        }
        sources[place] = u;
        targets[place] = v;
        return none;
    };
    *outcome = each_line(reader, text + length, edge);
    outcome->fractional = kept.fractional;
    outcome->largest = largest;
}

// METIS: a line per vertex with its neighbours, after `skip` numbers about the vertex itself; a blank line is a vertex
// without neighbours. Sources are the vertex's place in the block. Returns the vertices found through outcome->column.
extern "C" void parse_adjacency(const char* text, int64_t length, const Dialect* dialect, int32_t skip,
                                uint32_t* sources, uint32_t* targets, int32_t* weights, Outcome* outcome) {
    Reader reader{text, *dialect};
    Weights kept{weights};
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
                kept.put(edges, weight);
            }
            sources[edges++] = vertex;
        }
        if (error) break;
        ++reader.at;
        ++vertex;
    }
    *outcome = {edges, lines, reader.at - text, error, kept.fractional, 0, error ? 4 : vertex};
}

// Vertex coordinates `v id x y` into arrays over all vertices; `seen` says which have been given.
extern "C" void parse_coordinates(const char* text, int64_t length, const Dialect* dialect, double* x, double* y,
                                  uint64_t* seen, Outcome* outcome) {
    Reader reader{text, *dialect};
    auto vertex = [&](int64_t) {
        uint32_t id;
        double along, up;
        reader.column = 1;
        if (Error error = reader.id(id)) return error;
        reader.column = 3;
        if (Error error = reader.weight(along)) return error;
        if (Error error = reader.weight(up)) return error;
        x[id] = along;
        y[id] = up;
        mark(seen, id);
        return none;
    };
    *outcome = each_line(reader, text + length, vertex);
}
