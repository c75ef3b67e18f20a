// The kernel's own limit over a path: one thread sends UDP packets of one size as fast as possible, without schedule,
// header, record or log, and a receiver only takes them. For benchmarks: a program that does more can approach this,
// not exceed it. usage: kernel_limit send IP:PORT WAY [SIZE [SECONDS]]    WAY: each (send), several (sendmmsg),
// segmented (GSO)
//        kernel_limit receive PORT [gro]                 until SIGINT or SIGTERM
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/errors.hpp"
#include "common/net/socket/socket.hpp"
#include "common/os/system_clock.hpp"

namespace {

using namespace groma;  // a program of one file

constexpr std::size_t kBatch = 64;
constexpr std::size_t kLargestMessage = 65'507;

volatile std::sig_atomic_t stopping = 0;

/// A batch of equal packets and the messages that point at it.
struct Batch {
    Batch(std::size_t size, std::size_t count) : bytes(size * count), messages(count), pieces(count) {
        for (std::size_t i = 0; i < count; ++i) {
            pieces[i] = {.iov_base = &bytes[i * size], .iov_len = size};
            messages[i].msg_hdr.msg_iov = &pieces[i];
            messages[i].msg_hdr.msg_iovlen = 1;
        }
    }

    std::vector<std::byte> bytes;
    std::vector<mmsghdr> messages;
    std::vector<iovec> pieces;
};

/// Returns: packets that the kernel took.
std::size_t hand_over(int fd, std::string_view way, std::size_t size, Batch& batch) {
    if (way == "several") {
        const int sent = ::sendmmsg(fd, batch.messages.data(), static_cast<unsigned>(batch.messages.size()), 0);
        return sent > 0 ? static_cast<std::size_t>(sent) : 0;
    }
    const ssize_t sent = ::send(fd, batch.bytes.data(), way == "each" ? size : batch.bytes.size(), 0);
    return sent > 0 ? static_cast<std::size_t>(sent) / size : 0;
}

int send_all(const SocketAddress& to, std::string_view way, std::size_t size, double seconds) {
    const FileDescriptor socket = open_socket(to, SOCK_DGRAM);
    if (::connect(socket.get(), to.data(), to.size()) < 0) {
        throw SystemError("connect", errno);
    }
    ask_for_buffer(socket, SO_SNDBUF, 4 << 20);
    if (way == "segmented") {
        set_option(socket, IPPROTO_UDP, UDP_SEGMENT, static_cast<int>(size), "UDP_SEGMENT");
    }
    Batch batch(size, std::min(kBatch, kLargestMessage / size));
    SystemClock clock;
    const MonoTime end = clock.now() + Nanos{static_cast<std::int64_t>(seconds * 1e9)};
    std::uint64_t sent = 0;
    while (clock.now() < end) {
        sent += hand_over(socket.get(), way, size, batch);
    }
    std::cout << "sent " << sent << '\n';
    return 0;
}

int receive_all(std::uint16_t port, bool gro) {
    const SocketAddress at = SocketAddress::from_literal("0.0.0.0", port);
    const FileDescriptor socket = open_socket(at, SOCK_DGRAM);
    if (::bind(socket.get(), at.data(), at.size()) < 0) {
        throw SystemError("bind to port " + std::to_string(port), errno);
    }
    ask_for_buffer(socket, SO_RCVBUF, 16 << 20);
    if (gro) {
        set_option(socket, IPPROTO_UDP, UDP_GRO, 1, "UDP_GRO");
    }
    struct sigaction action {};
    action.sa_handler = [](int) { stopping = 1; };  // without SA_RESTART: the call below ends
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    Batch batch(kLargestMessage, kBatch);
    std::uint64_t bytes = 0;
    while (stopping == 0) {
        const int count = ::recvmmsg(socket.get(), batch.messages.data(), kBatch, MSG_WAITFORONE, nullptr);
        for (int i = 0; i < count; ++i) {
            bytes += batch.messages[static_cast<std::size_t>(i)].msg_len;
        }
    }
    std::cout << "took " << bytes << " bytes\n";
    return 0;
}

int do_as(std::span<char*> arguments) {
    const auto text = [&arguments](std::size_t at, std::string_view usual) {
        return at < arguments.size() ? std::string_view(arguments[at]) : usual;
    };
    if (text(1, "") == "receive") {
        return receive_all(static_cast<std::uint16_t>(std::stoul(std::string(text(2, "5001")))), text(3, "") == "gro");
    }
    const std::string_view way = text(3, "");
    if (text(1, "") != "send" or (way != "each" and way != "several" and way != "segmented")) {
        std::cerr << "usage: kernel_limit send IP:PORT each|several|segmented [SIZE [SECONDS]] | receive PORT [gro]\n";
        return 2;
    }
    const std::string_view to = text(2, "");
    const std::size_t colon = to.rfind(':');
    const auto port = static_cast<std::uint16_t>(std::stoul(std::string(to.substr(colon + 1))));
    return send_all(SocketAddress::from_literal(to.substr(0, colon), port), way, std::stoul(std::string(text(4, "64"))),
                    std::stod(std::string(text(5, "3"))));
}

}  // namespace

int main(int argc, char** argv) try {
    return do_as(std::span(argv, static_cast<std::size_t>(argc)));
} catch (const std::exception& error) {
    std::cerr << "kernel_limit: " << error.what() << '\n';
    return 1;
}
