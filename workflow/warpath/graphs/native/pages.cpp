// Encode integers as pages of a Parquet file, in the encoding DELTA_BINARY_PACKED: the first number, then blocks of
// differences between neighbours. A block has its least difference, the widths in bits of its four parts, and what the
// differences exceed the least one by. All arithmetic wraps. The bytes are those that Arrow writes.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace {

constexpr int page_values = 20000, parts = 4;
constexpr int most_bits = 56;  // that fit into a word beside the 7 bits that do not fill a byte
constexpr int header_room = 64;

// Remainders of 16 bytes, each at its distance from the end.
struct Checksums {
    uint32_t of[16][256];

    Checksums() {
        for (uint32_t byte = 0; byte < 256; ++byte) {
            uint32_t sum = byte;
            for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320u : 0);
            of[0][byte] = sum;
        }
        for (int distance = 1; distance < 16; ++distance)
            for (int byte = 0; byte < 256; ++byte) {
                uint32_t nearer = of[distance - 1][byte];
                of[distance][byte] = nearer >> 8 ^ of[0][nearer & 255];
            }
    }
};

uint32_t checksum(const uint8_t* bytes, int64_t count) {
    static const Checksums checksums;
    uint32_t sum = ~0u;
    for (; count >= 16; bytes += 16, count -= 16) {
        uint8_t mixed[16];
        memcpy(mixed, bytes, 16);
        for (int i = 0; i < 4; ++i) mixed[i] ^= sum >> 8 * i;
        sum = 0;
        for (int i = 0; i < 16; ++i) sum ^= checksums.of[15 - i][mixed[i]];
    }
    for (; count; --count) sum = sum >> 8 ^ checksums.of[0][(sum ^ *bytes++) & 255];
    return ~sum;
}

void put_varint(uint8_t*& out, uint64_t number) {
    for (; number >= 128; number >>= 7) *out++ = static_cast<uint8_t>(number | 128);
    *out++ = static_cast<uint8_t>(number);
}

// Numbers near 0 become small ones, whatever their sign.
void put_signed(uint8_t*& out, int64_t number) {
    put_varint(out, static_cast<uint64_t>(number) << 1 ^ static_cast<uint64_t>(number >> 63));
}

// Packs the numbers of one part. Neighbours are joined as long as two of them fit into a word.
template <class Number>
void pack(const Number* numbers, int width, uint8_t*& out) {
    int count = 8 * sizeof(Number), filled = 0;
    uint64_t joined[8 * sizeof(Number)], word = 0;
    std::copy(numbers, numbers + count, joined);
    for (; count > 1 && 2 * width <= most_bits; count /= 2, width *= 2)
        for (int i = 0; i < count / 2; ++i) joined[i] = joined[2 * i] | joined[2 * i + 1] << width;
    auto put = [&](uint64_t number, int bits) {
        word |= number << filled;
        memcpy(out, &word, 8);
        filled += bits;
        out += filled / 8;
        word >>= filled / 8 * 8;
        filled %= 8;
    };
    for (int i = 0; i < count; ++i) {
        bool fits = width <= most_bits;
        put(fits ? joined[i] : joined[i] & 0xFFFFFFFFu, fits ? width : 32);
        if (!fits) put(joined[i] >> 32, width - 32);
    }
}

// Puts the differences of up to four parts of numbers, of which the first has one before it.
template <class Number>
void put_block(const Number* numbers, int count, uint8_t*& out) {
    using Signed = std::make_signed_t<Number>;
    constexpr int part_values = 8 * sizeof(Number), values = parts * part_values;
    Number above[values];
    Signed least = static_cast<Signed>(numbers[0] - numbers[-1]);
    for (int i = 0; i < count; ++i) above[i] = numbers[i] - numbers[i - 1];
    for (int i = 0; i < count; ++i) least = std::min(least, static_cast<Signed>(above[i]));
    std::fill(above + count, above + values, static_cast<Number>(least));
    for (int i = 0; i < values; ++i) above[i] -= static_cast<Number>(least);
    put_signed(out, least);
    uint8_t* widths = out;
    out += parts;
    for (int part = 0; part < parts; ++part) {
        const Number* first = above + part * part_values;
        Number all = 0;
        for (int i = 0; i < part_values; ++i) all |= first[i];
        widths[part] = static_cast<uint8_t>(all ? 64 - __builtin_clzll(all) : 0);
        if (all) pack(first, widths[part], out);
    }
}

// Writes up to 8 bytes beyond the end.
template <class Number>
void put_numbers(const Number* numbers, int count, uint8_t*& out) {
    constexpr int block_values = 8 * sizeof(Number) * parts;
    for (int field : {block_values, parts, count}) put_varint(out, field);
    put_signed(out, static_cast<std::make_signed_t<Number>>(numbers[0]));
    for (int first = 1; first < count; first += block_values)
        put_block(numbers + first, std::min(block_values, count - first), out);
}

// Puts a page's header, in Thrift's compact protocol, and moves the content to behind it.
void put_header(const uint8_t* content, int64_t size, int values, uint8_t*& out) {
    enum { int32 = 0x15, structure = 0x1C, end = 0, data_page = 0, delta = 5, levels = 3 };  // a field after the last
    auto put_field = [&](int32_t number) {
        *out++ = int32;
        put_signed(out, number);
    };
    uint32_t sum = checksum(content, size);
    for (int64_t field : {int64_t(data_page), size, size, int64_t(sum)}) put_field(static_cast<int32_t>(field));
    *out++ = structure;
    for (int field : {values, int(delta), int(levels), int(levels)}) put_field(field);
    for (int byte : {int(structure), int(end), int(end), int(end)})
        *out++ = static_cast<uint8_t>(byte);  // no statistics
    memmove(out, content, size);
    out += size;
}

template <class Number>
int64_t encode(const Number* numbers, int64_t count, uint8_t* begin) {
    uint8_t* out = begin;
    for (int64_t first = 0; first < count; first += page_values) {
        int values = static_cast<int>(std::min<int64_t>(page_values, count - first));
        uint8_t *content = out + header_room, *stop = content;
        put_numbers(numbers + first, values, stop);
        put_header(content, stop - content, values, out);
    }
    return out - begin;
}

}  // namespace

extern "C" {

int64_t pages_for(int64_t count) { return (count + page_values - 1) / page_values; }

// The bytes that `count` integers of `size` bytes need at most.
int64_t room_for(int64_t count, int32_t size) { return (count + 512 * pages_for(count)) * (size + 1); }

// Encodes integers of 4 or 8 bytes; returns the length.
int64_t encode_pages(const void* numbers, int64_t count, int32_t size, uint8_t* out) {
    return size == 4 ? encode(static_cast<const uint32_t*>(numbers), count, out)
                     : encode(static_cast<const uint64_t*>(numbers), count, out);
}

}  // extern "C"
