#include "decoder/files/hdr_histogram.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <map>
#include <random>
#include <span>
#include <vector>

namespace groma {
namespace {

using Bytes = std::vector<unsigned char>;
using Counts = std::map<std::uint64_t, std::uint64_t>;  // by the lowest value of the bin

Bytes from_base64(const std::string& text) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    Bytes out;
    unsigned bits = 0;
    unsigned have = 0;
    for (const char c : text) {
        if (c == '=') {
            break;
        }
        bits = bits << 6U | static_cast<unsigned>(digits.find(c));
        have += 6;
        if (have >= 8) {
            have -= 8;
            out.push_back(static_cast<unsigned char>(bits >> have & 0xffU));
        }
    }
    return out;
}

std::uint64_t big_endian(std::span<const unsigned char> bytes) {
    std::uint64_t value = 0;
    for (const unsigned char byte : bytes) {
        value = value << 8U | byte;
    }
    return value;
}

/// The lowest value of a bin of HdrHistogram with two significant digits: 256 of width 1, then 128 of each further
/// width.
std::uint64_t lowest_value(std::uint64_t index) {
    std::uint64_t octave = 0;
    while (index >= 256) {
        index -= 128;
        ++octave;
    }
    return index << octave;
}

/// The counts in the text, by the description of the format.
Counts decoded(const std::string& text) {
    const Bytes outside = from_base64(text);
    EXPECT_EQ(big_endian(std::span(outside).first(4)), 0x1c849314U);
    EXPECT_EQ(big_endian(std::span(outside).subspan(4, 4)), outside.size() - 8);
    Bytes plain(1U << 20U);
    uLongf size = plain.size();
    EXPECT_EQ(::uncompress(plain.data(), &size, outside.data() + 8, outside.size() - 8), Z_OK);
    plain.resize(size);
    EXPECT_EQ(big_endian(std::span(plain).first(4)), 0x1c849313U);
    EXPECT_EQ(big_endian(std::span(plain).subspan(4, 4)), plain.size() - 40);
    EXPECT_EQ(big_endian(std::span(plain).subspan(12, 4)), 2U) << "significant digits";
    Counts counts;
    std::uint64_t index = 0;
    for (std::size_t at = 40; at < plain.size();) {
        std::uint64_t word = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint64_t byte = plain.at(at++);
            word |= (shift == 56 ? byte : byte & 0x7fU) << shift;
            if (byte < 0x80 or shift == 56) {
                break;
            }
        }
        const auto count = static_cast<std::int64_t>(word >> 1U) ^ -static_cast<std::int64_t>(word & 1U);
        if (count > 0) {
            counts[lowest_value(index++)] = static_cast<std::uint64_t>(count);
        } else {
            index += count == 0 ? 1 : static_cast<std::uint64_t>(-count);
        }
    }
    return counts;
}

TEST(HdrHistogram, HasEachValueInItsBin) {
    std::mt19937_64 random(9);
    for (int round = 0; round < 50; ++round) {
        LogHistogram histogram;
        Counts expected;
        for (int i = 0; i < round * 20; ++i) {
            const auto value = static_cast<std::int64_t>(random() >> (2 + random() % 62));
            const std::uint64_t times = random() % 3 == 0 ? random() >> (8 + random() % 50) : 1;
            histogram.add(value, times);
            const int width = std::max(0, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value))) - 8);
            if (times > 0) {
                expected[static_cast<std::uint64_t>(value) >> width << width] += times;
            }
        }
        EXPECT_EQ(decoded(hdr_histogram_text(histogram)), expected);
    }
}

TEST(HdrHistogram, OfNothingIsEmpty) {
    EXPECT_TRUE(decoded(hdr_histogram_text({})).empty());
}

TEST(HdrHistogram, CountsWhatIsBelowZeroAsZero) {
    LogHistogram negative;
    negative.add(-1000, 4);
    negative.add(-1, 2);
    negative.add(0);
    EXPECT_EQ(decoded(hdr_histogram_text(negative)), (Counts{{0, 7}}));
}

}  // namespace
}  // namespace groma
