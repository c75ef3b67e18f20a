#include "decoder/files/hdr_histogram.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <vector>

#include "common/base/base64.hpp"
#include "common/base/errors.hpp"
#include "common/stats/histograms/log_bins.hpp"
#include "common/wire/big_endian.hpp"

namespace groma {

namespace {

using Bytes = std::vector<std::byte>;

// EncodableHistogram.java, Histogram.java: the cookies of version 2, whose lower bits say "words of any length".
constexpr std::uint32_t kCookie = 0x1c849313;
constexpr std::uint32_t kCompressedCookie = 0x1c849314;
constexpr std::uint32_t kDigits = 2;
constexpr std::size_t kHeader = 40;

template <std::unsigned_integral Integer>
void put(Bytes& out, Integer value) {
    std::array<std::byte, sizeof(Integer)> bytes{};
    store_big_endian(bytes, value);
    out.insert(out.end(), bytes.begin(), bytes.end());
}

/// ZigZag and LEB128, at most nine bytes: the ninth has eight bits of the number.
void put_count(Bytes& out, std::int64_t count) {
    auto rest = static_cast<std::uint64_t>(count) << 1U ^ static_cast<std::uint64_t>(count >> 63U);
    for (int byte = 0; byte < 8 and rest > 0x7f; ++byte, rest >>= 7U) {
        out.push_back(static_cast<std::byte>(rest | 0x80U));
    }
    out.push_back(static_cast<std::byte>(rest));
}

/// Counts from bin 0 up to the highest in use; n zeros in a row are the number -n.
Bytes counts_of(const std::vector<std::uint64_t>& bins) {
    Bytes out;
    for (std::size_t i = 0; i < bins.size();) {
        const auto stop = std::find_if(bins.begin() + static_cast<std::ptrdiff_t>(i), bins.end(),
                                       [](std::uint64_t count) { return count > 0; });
        const auto zeros = stop - (bins.begin() + static_cast<std::ptrdiff_t>(i));
        if (zeros > 0) {
            put_count(out, zeros == 1 ? 0 : -static_cast<std::int64_t>(zeros));
            i += static_cast<std::size_t>(zeros);
        } else {
            put_count(out, static_cast<std::int64_t>(bins[i++]));
        }
    }
    return out;
}

Bytes encoded(const LogHistogram& histogram) {
    std::vector<std::uint64_t> bins;
    for (const LogHistogram::Bin& bin : histogram.bins()) {
        const std::size_t index = log_bin(static_cast<std::uint64_t>(std::max<std::int64_t>(bin.low, 0)));
        bins.resize(std::max(bins.size(), index + 1));
        bins[index] += bin.count;
    }
    const Bytes counts = counts_of(bins);
    Bytes out;
    out.reserve(kHeader + counts.size());
    put(out, kCookie);
    put(out, static_cast<std::uint32_t>(counts.size()));
    put(out, std::uint32_t{0});  // normalizing index offset
    put(out, kDigits);
    put(out, std::uint64_t{1});  // lowest discernible value
    put(out, static_cast<std::uint64_t>(std::max<std::int64_t>(histogram.max(), 2)));
    put(out, std::bit_cast<std::uint64_t>(1.0));  // ratio of integers to doubles
    out.insert(out.end(), counts.begin(), counts.end());
    return out;
}

Bytes compressed(const Bytes& plain) {
    uLongf size = ::compressBound(plain.size());
    Bytes body(size);
    if (::compress(reinterpret_cast<Bytef*>(body.data()), &size, reinterpret_cast<const Bytef*>(plain.data()),
                   plain.size()) != Z_OK) {
        throw RunError("cannot compress a histogram: no memory left");
    }
    Bytes out;
    put(out, kCompressedCookie);
    put(out, static_cast<std::uint32_t>(size));
    out.insert(out.end(), body.begin(), body.begin() + static_cast<std::ptrdiff_t>(size));
    return out;
}

}  // namespace

std::string hdr_histogram_text(const LogHistogram& histogram) {
    return base64(compressed(encoded(histogram)));
}

}  // namespace groma
