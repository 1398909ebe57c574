// Parse edges from text. A block of text ends with a newline, so no loop has to look for its end within a line. Blocks
// are independent, and threads parse several at once.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace {

enum Error {  // readers/text.py has their messages
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
    too_many_columns,
    rounded_to_zero
};

enum Negative { refuse, make_absolute, keep };  // what becomes of a negative weight

struct Dialect {
    char comment[3];  // first letters of lines to skip
    char prefix;      // the first letter of every data line, or 0
    char separator;   // of columns, besides spaces and tabs
    char strict;      // further columns are an error
    char weighted;    // the third column is a weight
    char negative;    // enum Negative
    uint32_t first;   // smallest id, subtracted from all
    uint32_t last;    // largest id
    double scale;     // multiplies weights, which are then rounded; 0 leaves them as they are
};

struct Outcome {
    int64_t edges, lines, error_at, rounded;  // error_at: offset of the error in the block; rounded: how many weights
    int32_t error, fractional;                // fractional: weights are float32, else int32
    uint32_t largest, column;                 // largest id; column of the error
};

constexpr bool little_endian = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

// The value of eight digits 0 to 9, of which the first is the lowest byte.
inline uint64_t eight_digits(uint64_t word) {
    word = (word * 10 + (word >> 8)) & 0x00FF00FF00FF00FFu;  // pairs of digits, then fours and all eight
    word = (word * 100 + (word >> 16)) & 0x0000FFFF0000FFFFu;
    return (word * 10000 + (word >> 32)) & 0xFFFFFFFFu;
}

// The number of digits among the first 8 bytes, and their value.
struct Digits {
    unsigned count;
    uint64_t value;

    explicit Digits(const char* text) {
        uint64_t word;
        memcpy(&word, text, sizeof word);
        word ^= 0x3030303030303030u;  // digits become 0 to 9; in other bytes the next line sets the top bit
        uint64_t others = (word | (word + 0x7676767676767676u)) & 0x8080808080808080u;
        count = others ? __builtin_ctzll(others) / 8 : 8;  // a carry spoils only bytes behind the first that is set
        if (count == 0) return;
        value = eight_digits(word << (64 - 8 * count));  // zeros lead
    }
};

struct Reader {
    const char* at;
    const Dialect& dialect;
    const char* end;      // of the block
    uint32_t column = 0;  // the column being read, for errors
    int64_t rounded = 0;  // weights that became whole numbers by the dialect's scale

    bool space() const { return *at == ' ' || *at == '\t' || (*at == '\r' && at[1] == '\n'); }
    bool blank() const { return space() || *at == dialect.separator; }
    void skip_spaces() {
        while (space()) ++at;
    }
    void skip_blanks() {  // spaces and at most one separator
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

    // Reads digits, most often eight at once: how many there are cannot be predicted.
    uint64_t digits() {
        uint64_t number = 0;
        if (little_endian && end - at >= 8) {
            Digits first(at);
            if (first.count == 0) return 0;
            at += first.count;
            if (first.count < 8) return first.value;
            number = first.value;
        }
        for (unsigned digit; (digit = static_cast<unsigned char>(*at) - '0') < 10; ++at) number = number * 10 + digit;
        return number;
    }

    Error id(uint32_t& value) {
        skip_blanks();
        const char* begin = at;
        uint64_t number = digits();
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
        const char* first = at;
        uint64_t number = digits();
        value = static_cast<double>(number);
        bool short_integer = at != first && at - first <= 15 && (blank() || *at == '\n');
        if (!short_integer)
            if (Error error = any_number(first, value)) return at = begin, error;
        if (minus && value != 0) {
            if (dialect.negative == refuse) return at = begin, negative_weight;
            if (dialect.negative == keep) value = -value;
        }
        double exact = value;
        if (dialect.scale) {
            exact *= dialect.scale;
            value = std::nearbyint(exact);
            rounded += value != exact;
        }
        if (dialect.weighted && exact != 0 && static_cast<float>(value) == 0) return at = begin, rounded_to_zero;
        if (std::fabs(value) > 2147483647.0) return at = begin, weight_too_large;
        return none;
    }

    // Reads a number without a sign in any notation, from `begin` to the end of the column.
    Error any_number(const char* begin, double& value) {
        const char* end = begin;
        while (*end != ' ' && *end != '\t' && *end != '\r' && *end != '\n' && *end != dialect.separator) ++end;
        if (end == begin) return too_few_columns;
        auto result = std::from_chars(begin, end, value);
        if (result.ec == std::errc::result_out_of_range)
            return std::strtod(begin, nullptr) < 1 ? rounded_to_zero : weight_too_large;
        bool second_sign = *begin == '-';  // which from_chars would accept
        if (second_sign || result.ec != std::errc() || result.ptr != end) return not_a_number;
        if (!std::isfinite(value)) return not_finite;
        at = end;
        return none;
    }
};

// The weights of a block: int32 until the first fractional one, which converts all of them to float32.
struct Weights {
    int32_t* values;
    bool fractional = false;
    int64_t rounded = 0;

    void put(int64_t place, double value) {
        if (!fractional && value != std::floor(value)) {
            fractional = true;
            for (int64_t i = 0; i < place; ++i) store(i, values[i]);
        }
        if (fractional)
            store(place, value);
        else
            values[place] = static_cast<int32_t>(value);
    }
    void store(int64_t place, double value) {
        float nearest = static_cast<float>(value);
        rounded += nearest != value;
        memcpy(values + place, &nearest, sizeof nearest);
    }
};

// Sets the bit of an id; threads share the bitmap.
inline void mark(uint64_t* seen, uint32_t id) {
    uint64_t bit = uint64_t(1) << (id & 63);
    if (!(__atomic_load_n(seen + (id >> 6), __ATOMIC_RELAXED) & bit))
        __atomic_fetch_or(seen + (id >> 6), bit, __ATOMIC_RELAXED);
}

// Calls read_line(n) for the n-th line that is neither blank nor a comment, until the end or an error. Before a line,
// read_usual(n) may take lines that it knows how to read and returns how many.
template <class ReadLine, class ReadUsual>
Outcome each_line(Reader& reader, const char* end, ReadLine read_line, ReadUsual read_usual) {
    const char* begin = reader.at;
    int64_t data_lines = 0, lines = 0;
    Error error = none;
    for (; reader.at < end; ++lines) {
        if (int64_t usual = read_usual(data_lines)) {
            data_lines += usual;
            lines += usual - 1;
            continue;
        }
        reader.skip_spaces();
        if (*reader.at == '\n') {
            ++reader.at;
            continue;
        }
        if (reader.comment()) {
            reader.skip_line(end);
            continue;
        }
        if ((error = reader.prefix()) || (error = read_line(data_lines)) || (error = reader.finish_line(end))) break;
        ++data_lines;
    }
    return {data_lines, lines, reader.at - begin, reader.rounded, error, 0, 0, reader.column};
}

#ifdef __SSE2__
// A bit for each of 64 bytes that is no digit.
inline uint64_t others(const char* bytes) {
    uint64_t digits = 0;
    for (int part = 0; part < 64; part += 16) {
        __m128i letters = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + part));
        __m128i values = _mm_sub_epi8(letters, _mm_set1_epi8('0'));
        __m128i are_digits = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
        digits |= static_cast<uint64_t>(_mm_movemask_epi8(are_digits)) << part;
    }
    return ~digits;
}
#endif

// The value of the `count` digits before `stop`, up to ten. Reads eight bytes before the first digit or less.
inline uint64_t digits_before(const char* stop, int64_t count) {
    if (count > 8) return digits_before(stop - 8, count - 8) * 100000000 + digits_before(stop, 8);
    uint64_t word;
    memcpy(&word, stop - 8, sizeof word);
    int behind = static_cast<int>(64 - 8 * count);  // the bits before the digits
    return eight_digits((word ^ 0x3030303030303030u) >> behind << behind);
}

// Reads lines of nothing but integers with one separator between them, of which most files consist: the ends of all
// numbers in 64 bytes are found at once, so that no number waits for the one before. Calls store(numbers) for each
// line, and stops at the first line that is different or for which this returns false. `at` then points at that line.
template <int columns, class Store>
void usual_lines(const char* text, const char* end, const Dialect& dialect, const char*& at, Store store) {
#ifdef __SSE2__
    constexpr int most_digits = 10, in_view = 64, behind = 4;
    const char prefix = dialect.prefix, separator = dialect.separator;
    const char* line = at;
    const char* number = nullptr;
    uint64_t numbers[columns];
    int column = 0;
    auto begin_line = [&](const char* next) {
        line = next;
        column = 0;
        number = prefix ? next + 2 : next;
        return !prefix || (next[0] == prefix && next[1] == ' ');
    };
    bool usual = at - text >= 8 && end - at > in_view && begin_line(at);
    for (const char* view = at; usual && end - view > in_view + behind; view += in_view) {
        for (uint64_t ends = others(view); usual && ends; ends &= ends - 1) {
            const char* stop = view + __builtin_ctzll(ends);
            if (stop < number) continue;
            usual = stop > number && stop - number <= most_digits;
            if (!usual) break;
            numbers[column] = digits_before(stop, stop - number);
            number = stop + 1;
            if (++column < columns) {
                usual = *stop == ' ' || *stop == '\t' || *stop == separator;
            } else {
                stop += *stop == '\r';
                usual = *stop == '\n' && store(numbers) && begin_line(stop + 1);
            }
        }
    }
    at = line;
#else
    (void)text, (void)end, (void)dialect, (void)at, (void)store;
#endif
}

}  // namespace
