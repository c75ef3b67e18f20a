#include "logserver/peer_lines.hpp"

#include <utility>

namespace groma {

namespace {

constexpr std::uint64_t kMostErrors = 10;

}  // namespace

PeerLines::PeerLines(std::string peer, Report report) : peer_(std::move(peer)), report_(std::move(report)) {}

void PeerLines::note(const std::string& line) {
    if (left_out_ > 0) {
        ++left_out_;
        return;
    }
    report_(peer_ + line);
}

void PeerLines::error(const std::string& line) {
    if (errors_ == kMostErrors) {
        ++left_out_;
        return;
    }
    ++errors_;
    report_(peer_ + line);
}

void PeerLines::end() {
    if (const std::uint64_t left_out = std::exchange(left_out_, 0); left_out > 0) {
        report_(peer_ + ": " + std::to_string(left_out) + " more lines of this connection were left out");
    }
}

}  // namespace groma
