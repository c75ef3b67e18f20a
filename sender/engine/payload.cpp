#include "sender/engine/payload.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <functional>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/capture/capture_file.hpp"

namespace groma {

namespace {

/// Long enough that a compressing link or file system finds no repetitions.
constexpr std::size_t kNoise = std::size_t{1} << 20U;

/// The same bytes on every machine.
std::vector<std::byte> noise() {
    std::vector<std::byte> bytes(kNoise);
    std::uint64_t state = 0x67726f6d61;
    for (std::byte& byte : bytes) {
        // Knuth's MMIX generator: its high bits are noise enough for a compressor.
        state = state * 6364136223846793005U + 1442695040888963407U;
        byte = static_cast<std::byte>(state >> 56U);
    }
    return bytes;
}

std::vector<std::byte> pattern(std::string_view digits) {
    std::vector<std::byte> bytes;
    for (std::size_t place = 0; place + 1 < digits.size(); place += 2) {
        std::uint8_t value = 0;
        std::from_chars(digits.data() + place, digits.data() + place + 2, value, 16);
        bytes.push_back(std::byte{value});
    }
    return bytes;
}

[[noreturn]] void refuse(const std::string& path, std::string_view why) {
    throw RunError("cannot take the payload from " + plain_text(path, 200) + ": " + std::string(why));
}

void refuse_too_much(const std::string& path) {
    refuse(path, "it holds more than 64 MiB: cut it, head -c 64M");
}

std::vector<std::byte> bytes_of_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::vector<char> chars(Payload::kMostBytes + 1);
    if (not in.read(chars.data(), static_cast<std::streamsize>(chars.size())) and not in.eof()) {
        refuse(path, "it cannot be read: check the name and its permissions");
    }
    const auto count = static_cast<std::size_t>(in.gcount());
    if (count > Payload::kMostBytes) {
        refuse_too_much(path);
    }
    const auto bytes = std::as_bytes(std::span(chars).first(count));
    return {bytes.begin(), bytes.end()};
}

/// The concatenated payloads of a capture's packets; `starts` receives their offsets.
std::vector<std::byte> payloads_of_capture(const std::string& path, std::vector<std::size_t>& starts) {
    std::vector<std::byte> bytes;
    read_capture(path, [&](const CapturedFrame& frame) {
        const auto packet = parse_captured(frame.bytes, frame.link);
        if (packet and not packet->payload.empty()) {
            starts.push_back(bytes.size());
            bytes.insert(bytes.end(), packet->payload.begin(), packet->payload.end());
        }
        return bytes.size() <= Payload::kMostBytes;
    });
    if (bytes.size() > Payload::kMostBytes) {
        refuse_too_much(path);
    }
    return bytes;
}

}  // namespace

Payload::Payload(std::string_view text, std::size_t largest) {
    constexpr std::string_view kPattern = "pattern:";
    constexpr std::string_view kFile = "file:";
    constexpr std::string_view kCapture = "pcap:";
    if (text.empty() or text == "random") {
        bytes_ = noise();
        step_ = Step::onward;
    } else if (text == "zero") {
        bytes_.resize(1);
    } else if (text.starts_with(kPattern)) {
        bytes_ = pattern(text.substr(kPattern.size()));
    } else if (text.starts_with(kFile)) {
        const std::string path(text.substr(kFile.size()));
        bytes_ = bytes_of_file(path);
        step_ = Step::onward;
        if (bytes_.empty()) {
            refuse(path, "it is empty");
        }
    } else {
        const std::string path(text.substr(kCapture.size()));
        bytes_ = payloads_of_capture(path, starts_);
        step_ = Step::by_packet;
        if (bytes_.empty()) {
            refuse(path, "no packet of UDP, TCP, UDP-Lite, DCCP or ICMP in it has a payload");
        }
    }
    repeat(largest);
}

void Payload::repeat(std::size_t largest) {
    period_ = bytes_.size();
    bytes_.resize(period_ + largest);
    for (std::size_t place = period_; place < bytes_.size(); ++place) {
        bytes_[place] = bytes_[place - period_];
    }
}

std::span<const std::byte> PayloadCursor::next(std::size_t size) noexcept {
    const bool by_packet = payload_->step_ == Payload::Step::by_packet;
    const std::size_t start = by_packet ? payload_->starts_[place_] : place_;
    if (by_packet) {
        place_ = (place_ + 1) % payload_->starts_.size();
    } else if (payload_->step_ == Payload::Step::onward) {
        place_ = (place_ + size) % payload_->period_;
    }
    return std::span(payload_->bytes_).subspan(start, size);
}

Payloads::Payloads(const std::vector<FlowSpec>& flows) {
    std::map<std::string_view, std::size_t> largest;
    for (const FlowSpec& flow : flows) {
        std::size_t& most = largest[flow.payload];
        most = std::max<std::size_t>(most, size_limits(flow.transport).largest);
    }
    for (const auto& [text, most] : largest) {
        by_text_.emplace(std::string(text), Payload(text, most));
    }
}

}  // namespace groma
