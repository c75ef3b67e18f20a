// Any bytes as the stream of a log connection: at once or in pieces, the reader finds the same frames or the same
// fault, never holds more than one frame, and every found frame serializes to its bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/base/errors.hpp"
#include "common/shipping/protocol/log_frame_reader.hpp"
#include "common/shipping/protocol/log_frames.hpp"

namespace groma {
namespace {

constexpr std::size_t kLongest = 4096;

/// The bytes of all frames found in `stream`, which is fed in pieces of `step` bytes; with "!" appended after a fault.
std::vector<std::byte> frames_of(std::span<const std::byte> stream, std::size_t step) {
    LogFrameReader reader("fuzz", kLongest);
    std::vector<std::byte> found;
    try {
        while (not stream.empty()) {
            const auto space = reader.space();
            check(space.size() <= 2 * kLongest + 8, "the reader takes more memory than a frame needs");
            const std::size_t count = std::min({space.size(), step, stream.size()});
            std::ranges::copy(stream.first(count), space.begin());
            reader.filled(count);
            stream = stream.subspan(count);
            while (const auto frame = reader.next()) {
                const auto bytes = serialize(*frame);
                found.insert(found.end(), bytes.begin(), bytes.end());
            }
        }
    } catch (const ProtocolError&) {
        found.push_back(static_cast<std::byte>('!'));
    }
    return found;
}

}  // namespace
}  // namespace groma

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto stream = std::as_bytes(std::span(data, size));
    const auto whole = groma::frames_of(stream, groma::kLongest);
    groma::check(whole == groma::frames_of(stream, 1), "the frames depend on how the stream was cut");
    const bool faulty = not whole.empty() and whole.back() == static_cast<std::byte>('!');
    const std::size_t proven = whole.size() - (faulty ? 1 : 0);
    groma::check(proven <= size, "more bytes in frames than there were");
    return 0;
}
