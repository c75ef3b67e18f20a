#include "sender/run/fetched_log.hpp"

#include <algorithm>

#include "common/base/errors.hpp"
#include "common/model/text/human.hpp"

namespace groma {

namespace {

// A block of one record takes half of this; a flow's description, with its values, less than all values may take.
constexpr std::uint64_t kMostBytesOfPacket = 256;
constexpr std::uint64_t kMostBytesOfFlow = 64U << 10U;
constexpr std::uint64_t kMostBytesOfFlowAndSecond = 16U << 10U;  ///< samples of its connection
constexpr std::uint64_t kMostBytesBesides = 256U << 20U;

}  // namespace

std::uint64_t longest_receiver_log(std::uint64_t flows, std::uint64_t packets, Nanos elapsed) {
    const auto seconds = static_cast<std::uint64_t>(elapsed / std::chrono::seconds(1)) + 1;
    return kMostBytesBesides + packets * kMostBytesOfPacket +
           flows * (kMostBytesOfFlow + seconds * kMostBytesOfFlowAndSecond);
}

void FetchedLog::take(const LogSection& section, std::uint64_t longest) {
    const std::uint64_t size = section.log_bytes;
    if (size == 0 or size > longest or size != expected_.value_or(size)) {
        throw RunError("its host says that the log has " + std::to_string(size) + " bytes, which cannot be: " +
                       (expected_ ? "it said " + std::to_string(*expected_) + " bytes before"
                                  : "such a run makes at most " + std::to_string(longest) + " bytes"));
    }
    if (section.offset != bytes_ or whole() or
        section.bytes.size() != std::min<std::uint64_t>(kLogSectionBytes, size - bytes_)) {
        throw RunError("its host sent another section of the log than the next one");
    }
    hash_.add(section.bytes);
    if (hash_.value() != section.hash) {
        throw RunError("what its host sent of the log after " + human_bytes(bytes_) +
                       " does not have the hash that it says: it was damaged on one of the hosts");
    }
    if (sink_) {
        sink_->append(section.bytes);
    } else {
        next_(section);
    }
    bytes_ += section.bytes.size();
    expected_ = size;
}

void FetchedLog::close() {
    if (sink_) {
        sink_->close();
    }
}

}  // namespace groma
