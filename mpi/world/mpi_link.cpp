#include "mpi/world/mpi_link.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <memory>

#include "common/base/errors.hpp"
#include "mpi/world/log_letter.hpp"

namespace groma {

namespace {

/// Letters on their way at most: 8 MiB of the longest pieces.
constexpr std::size_t kMostUnderWay = 32;
/// MPI cannot be waited for without taking a core: so often it is looked at.
constexpr Nanos kNap = std::chrono::milliseconds(1);
constexpr const char* kPeer = "log server's rank";

}  // namespace

LinkOpener mpi_link(MpiWorld& world, int log_server) {
    return [&world, log_server](Clock& clock) {
        return std::make_unique<MpiLink>(world, log_server, world.next_number(), clock);
    };
}

MpiLink::MpiLink(MpiWorld& world, int log_server, std::uint32_t connection, Clock& clock)
    : clock_(clock),
      post_(world,
            {.says = PostKind::logs_to_server, .hears = PostKind::logs_to_shipper, .longest = kLongestLogLetter}),
      log_server_(log_server),
      connection_(connection) {}

MpiLink::~MpiLink() {
    try {
        post_.send(log_server_, serialize(LogLetter{connection_, LogLetter::Kind::end, {}}));
    } catch (const std::exception&) {
        // Then the server hears nothing more, which says the same.
    }
}

bool MpiLink::send(std::span<const std::byte> frame) {
    if (post_.in_flight() >= kMostUnderWay) {
        return false;
    }
    post_.send(log_server_, serialize(LogLetter{connection_, LogLetter::Kind::frame, frame}));
    return true;
}

void MpiLink::turn() {
    try {
        while (auto letter = post_.next(log_server_)) {
            come_.push_back(std::move(*letter));
        }
    } catch (const RunError& error) {
        throw SystemError(std::string("reach the ") + kPeer, EIO, error.what());
    }
}

std::optional<LogFrame> MpiLink::next() {
    while (not come_.empty()) {
        current_ = std::move(come_.front().bytes);
        come_.pop_front();
        const LogLetter letter = parse_log_letter(current_, kPeer);
        if (letter.connection != connection_) {
            continue;  // of a connection before this one
        }
        if (letter.kind == LogLetter::Kind::end) {
            throw SystemError(std::string("hear from the ") + kPeer, ECONNRESET, "it ended the connection");
        }
        return frame_of(letter, kMaxOtherFrame, kPeer);
    }
    return std::nullopt;
}

void MpiLink::wait(int wake_fd, MonoTime until) {
    const Nanos left = std::clamp(until - clock_.now(), Nanos(0), kNap);
    pollfd entry{.fd = wake_fd, .events = POLLIN, .revents = 0};
    const timespec nap{.tv_sec = 0, .tv_nsec = left.count()};
    ::ppoll(&entry, 1, &nap, nullptr);
}

}  // namespace groma
