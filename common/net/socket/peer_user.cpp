#include "common/net/socket/peer_user.hpp"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include <cstring>
#include <span>

#include "common/os/file_descriptor.hpp"

namespace groma {

namespace {

/// Whom the kernel names in place of users that this user namespace does not have (user_namespaces(7)).
constexpr uid_t kOverflowUser = 65534;

struct DiagRequest {
    nlmsghdr header{};
    inet_diag_req_v2 question{};
};

struct DiagReply {
    nlmsghdr header{};
    inet_diag_msg socket{};
};

void write_end(const SocketAddress& address, __be16& port, std::span<__be32, 4> host) {
    port = htons(address.port());
    if (address.family() == AF_INET) {
        const auto* const ipv4 = reinterpret_cast<const sockaddr_in*>(address.data());
        std::memcpy(host.data(), &ipv4->sin_addr, sizeof ipv4->sin_addr);
    } else {
        const auto* const ipv6 = reinterpret_cast<const sockaddr_in6*>(address.data());
        std::memcpy(host.data(), &ipv6->sin6_addr, sizeof ipv6->sin6_addr);
    }
}

}  // namespace

std::optional<uid_t> user_at_other_end(const SocketAddress& local, const SocketAddress& peer, int protocol) {
    const FileDescriptor fd(::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
    DiagRequest request;
    request.header = {.nlmsg_len = sizeof request,
                      .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                      .nlmsg_flags = NLM_F_REQUEST,
                      .nlmsg_seq = 1,
                      .nlmsg_pid = 0};
    request.question.sdiag_family = static_cast<__u8>(peer.family());
    request.question.sdiag_protocol = static_cast<__u8>(protocol);
    // As the other end sees it, its own address, our peer's, is the source. UDP wants the two swapped "for historical
    // reasons" (udp_dump_one() in the kernel's net/ipv4/udp_diag.c).
    const bool swapped = protocol == IPPROTO_UDP;
    write_end(swapped ? local : peer, request.question.id.idiag_sport, request.question.id.idiag_src);
    write_end(swapped ? peer : local, request.question.id.idiag_dport, request.question.id.idiag_dst);
    request.question.id.idiag_cookie[0] = INET_DIAG_NOCOOKIE;
    request.question.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    // The kernel answers while it is asked: there is nothing to wait for.
    DiagReply reply;
    if (not fd.valid() or ::send(fd.get(), &request, sizeof request, 0) != static_cast<ssize_t>(sizeof request) or
        ::recv(fd.get(), &reply, sizeof reply, MSG_DONTWAIT) < static_cast<ssize_t>(sizeof reply) or
        reply.header.nlmsg_type != SOCK_DIAG_BY_FAMILY or reply.socket.idiag_state != TCP_ESTABLISHED or
        reply.socket.idiag_inode == 0 or reply.socket.idiag_uid == kOverflowUser) {
        return std::nullopt;
    }
    return reply.socket.idiag_uid;
}

}  // namespace groma
