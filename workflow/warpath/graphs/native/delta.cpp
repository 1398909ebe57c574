// Parquet's encoding DELTA_BINARY_PACKED: the first number, then blocks of 128 differences between neighbours. A block
// has its least difference, the widths of its four parts in bits, and what the differences exceed the least one by. All
// arithmetic wraps, so that every difference of two numbers has the width of a number.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace {

constexpr int block_values = 128, part_values = 32, parts = block_values / part_values;

template <class Number>
constexpr int bits_of = sizeof(Number) * 8;

int width_of(uint64_t number) { return number ? 64 - __builtin_clzll(number) : 0; }

template <class Number>
uint64_t zigzag(Number number) {
    using Signed = std::make_signed_t<Number>;
    return static_cast<Number>(number << 1 ^ static_cast<Number>(static_cast<Signed>(number) >> (bits_of<Number> - 1)));
}

uint8_t* put_varint(uint8_t* out, uint64_t number) {
    for (; number >= 128; number >>= 7) *out++ = static_cast<uint8_t>(number | 128);
    *out++ = static_cast<uint8_t>(number);
    return out;
}

// Packs 32 numbers of `width` bits. Writes up to 7 bytes more than that, which the next part overwrites.
template <int width, class Number>
void pack(const Number* numbers, uint8_t* out) {
    uint64_t word = 0;
    int filled = 0;
#pragma GCC unroll 32
    for (int i = 0; i < part_values; ++i) {
        uint64_t number = numbers[i];
        word |= filled < 64 ? number << filled : 0;
        filled += width;
        if (filled >= 64) {
            memcpy(out, &word, 8);
            out += 8;
            filled -= 64;
            word = filled ? number >> (width - filled) : 0;
        }
    }
    if (filled) memcpy(out, &word, 8);
}

// The number at `bit`, of up to 64 bits. Reads up to 9 bytes.
uint64_t bits_at(const uint8_t* bytes, int bit, int width) {
    uint64_t word;
    memcpy(&word, bytes + bit / 8, 8);
    word >>= bit % 8;
    if (bit % 8 + width > 64) word |= uint64_t(bytes[bit / 8 + 8]) << (64 - bit % 8);
    return width == 64 ? word : word & ((uint64_t(1) << width) - 1);
}

// Unpacks 32 differences and adds them up, beginning with `before`. Returns the last sum.
template <int width, class Number>
Number unpack(const uint8_t* bytes, Number before, Number least, Number* numbers) {
#pragma GCC unroll 32
    for (int i = 0; i < part_values; ++i)
        numbers[i] = before += least + static_cast<Number>(bits_at(bytes, i * width, width));
    return before;
}

// Tables of the functions above, by width.
template <class Number, int... width>
constexpr auto packers(std::integer_sequence<int, width...>) {
    struct Table {
        void (*pack[sizeof...(width)])(const Number*, uint8_t*);
        Number (*unpack[sizeof...(width)])(const uint8_t*, Number, Number, Number*);
    };
    return Table{{pack<width, Number>...}, {unpack<width, Number>...}};
}

template <class Number>
constexpr auto table = packers<Number>(std::make_integer_sequence<int, bits_of<Number> + 1>());

template <class Number>
int64_t encode(const Number* numbers, int64_t count, uint8_t* out) {
    uint8_t* begin = out;
    for (uint64_t field : {uint64_t(block_values), uint64_t(parts), uint64_t(count)}) out = put_varint(out, field);
    out = put_varint(out, zigzag(count ? numbers[0] : Number(0)));
    for (int64_t at = 1; at < count; at += block_values) {
        using Signed = std::make_signed_t<Number>;
        int values = static_cast<int>(std::min<int64_t>(block_values, count - at));
        Number differences[block_values] = {};
        Signed least = static_cast<Signed>(numbers[at] - numbers[at - 1]);
        for (int i = 0; i < values; ++i) {
            differences[i] = numbers[at + i] - numbers[at + i - 1];
            least = std::min(least, static_cast<Signed>(differences[i]));
        }
        for (int i = 0; i < values; ++i) differences[i] -= static_cast<Number>(least);
        out = put_varint(out, zigzag(static_cast<Number>(least)));
        uint8_t* widths = out;
        out += parts;
        for (int part = 0; part < parts; ++part) {
            const Number* first = differences + part * part_values;
            Number all = 0;
            for (int i = 0; i < part_values; ++i) all |= first[i];
            widths[part] = static_cast<uint8_t>(width_of(all));
            table<Number>.pack[widths[part]](first, out);
            out += widths[part] * part_values / 8;
        }
    }
    return out - begin;
}

struct Input {
    const uint8_t *at, *end;

    bool varint(uint64_t& number) {
        number = 0;
        for (int shift = 0; shift < 64 && at < end; shift += 7) {
            number |= uint64_t(*at & 127) << shift;
            if (!(*at++ & 128)) return true;
        }
        return false;
    }
    template <class Number>
    bool zigzag(Number& number) {
        uint64_t packed;
        if (!varint(packed)) return false;
        number = static_cast<Number>(packed >> 1 ^ -(packed & 1));
        return true;
    }
};

// Adds the numbers of one block of differences to `numbers`, up to `last`.
template <class Number>
bool decode_block(Input& input, int64_t values, int64_t in_parts, Number& before, Number*& numbers, Number* last) {
    Number least, rest[part_values];
    if (!input.zigzag(least) || input.end - input.at < in_parts) return false;
    const uint8_t* widths = input.at;
    input.at += in_parts;
    for (int64_t part = 0; part < in_parts && numbers < last; ++part)
        for (int64_t done = 0; done < values / in_parts && numbers < last; done += part_values) {
            int width = widths[part];
            if (width > bits_of<Number> || input.end - input.at < width * part_values / 8) return false;
            Number* to = last - numbers < part_values ? rest : numbers;
            before = table<Number>.unpack[width](input.at, before, least, to);
            if (to == rest)
                numbers = std::copy(rest, rest + (last - numbers), numbers);
            else
                numbers += part_values;
            input.at += width * part_values / 8;
        }
    return true;
}

template <class Number>
bool decode(const uint8_t* bytes, int64_t length, Number* numbers, int64_t count) {
    Input input{bytes, bytes + length};
    uint64_t values, in_parts, total;
    Number before, *last = numbers + count;
    if (!input.varint(values) || !input.varint(in_parts) || !input.varint(total) || !input.zigzag(before)) return false;
    if (total != uint64_t(count) || in_parts == 0 || in_parts > values || values > 1 << 20) return false;
    if (values % in_parts || values / in_parts % part_values) return false;
    if (count) *numbers++ = before;
    while (numbers < last)
        if (!decode_block(input, values, in_parts, before, numbers, last)) return false;
    return true;
}

}  // namespace

extern "C" {

// Encodes integers of 4 or 8 bytes. Returns the length; `out` needs room for 128 integers more, and an eighth more
// bytes.
int64_t encode_delta(const void* numbers, int64_t count, int32_t size, uint8_t* out) {
    return size == 4 ? encode(static_cast<const uint32_t*>(numbers), count, out)
                     : encode(static_cast<const uint64_t*>(numbers), count, out);
}

// Decodes `count` integers; `bytes` can be read 16 bytes beyond their length. Returns whether they were as many.
int32_t decode_delta(const uint8_t* bytes, int64_t length, int32_t size, void* numbers, int64_t count) {
    return size == 4 ? decode(bytes, length, static_cast<uint32_t*>(numbers), count)
                     : decode(bytes, length, static_cast<uint64_t*>(numbers), count);
}

}  // extern "C"
