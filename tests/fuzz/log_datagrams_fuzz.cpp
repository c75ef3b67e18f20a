// Any bytes as datagrams: a parsed datagram serializes to the same bytes. A stream that gets them from a peer with its
// keys keeps to its memory limit and to the allowed number of answers, and continues to work.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/base/errors.hpp"
#include "common/shipping/datagram/datagram_content.hpp"
#include "common/shipping/datagram/datagram_opening.hpp"
#include "common/shipping/datagram/datagram_stream.hpp"

namespace groma {
namespace {

void parse_all(std::span<const std::byte> bytes) {
    if (const auto content = parse_content(bytes)) {
        std::vector<std::byte> again(bytes.size() + 16);
        again.resize(serialize(*content, again));
        check(std::ranges::equal(again, bytes), "a content is not what it was made of");
    }
    if (const auto hello = parse_hello(bytes)) {
        check(std::ranges::equal(serialize(*hello), bytes), "a hello is not what it was made of");
    }
    if (const auto open = parse_open(bytes)) {
        check(std::ranges::equal(serialize(*open), bytes), "an open is not what it was made of");
    }
    if (const auto accepted = parse_accepted(bytes)) {
        check(std::ranges::equal(serialize(*accepted), bytes), "an acceptance is not what it was made of");
    }
    if (const auto refused = parse_refused(bytes)) {
        check(std::ranges::equal(serialize(*refused), bytes), "a refusal is not what it was made of");
    }
    DatagramOpening opening(0, {});
    opening.on_datagram(bytes);
    check(not opening.accepted() and not opening.refused(), "accepted or refused without a token");
}

/// The first byte of each piece gives its length and the time that passes; the rest is content with a valid seal.
void feed(DatagramStream& stream, std::span<const std::byte> bytes) {
    MonoTime now{};
    DatagramCipher cipher{Secret()};
    std::vector<std::byte> datagram(kLongestDatagram);
    std::vector<std::byte> out(kLongestDatagram);
    std::vector<std::byte> read(4096);
    for (std::uint64_t number = 0; not bytes.empty(); ++number) {
        const auto first = std::to_integer<std::size_t>(bytes.front());
        const auto content = bytes.subspan(1, std::min(first, bytes.size() - 1));
        bytes = bytes.subspan(1 + content.size());
        std::ranges::copy(content, datagram.begin() + kDatagramHeader);
        const std::size_t size = seal(datagram, content.size(), {DatagramKind::from_shipper, 7, number}, cipher);
        static_cast<void>(stream.on_datagram(std::span(datagram).first(size), now));
        for (int sent = 0; stream.next_datagram(out, now) > 0; ++sent) {
            check(sent < 32, "a datagram is answered with a flood");
        }
        if (first % 2 == 0) {
            while (stream.read(read) > 0) {
            }
        }
        now += Nanos{static_cast<Nanos::rep>(first) * 1'000'000};
    }
}

}  // namespace
}  // namespace groma

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    groma::parse_all(bytes);
    groma::DatagramStream stream({false, 7, {}}, {}, groma::MonoTime{});
    const std::vector<std::byte> answer(3000);
    static_cast<void>(stream.write(answer));
    groma::feed(stream, bytes);
    return 0;
}
