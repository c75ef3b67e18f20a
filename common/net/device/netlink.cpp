#include "common/net/device/netlink.hpp"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

#include "common/os/checked.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

namespace {

constexpr std::size_t kAlignment = 4;
constexpr std::size_t kLargestDatagram = 65536;

std::size_t aligned(std::size_t size) {
    return (size + kAlignment - 1) / kAlignment * kAlignment;
}

/// What is behind the first `size` bytes and what fills them up.
std::span<const std::byte> behind(std::span<const std::byte> bytes, std::size_t size) {
    const std::size_t skipped = aligned(size);
    return skipped < bytes.size() ? bytes.subspan(skipped) : std::span<const std::byte>{};
}

/// Appends a datagram. Returns: whether it was the last one.
bool receive(const FileDescriptor& socket, bool many, std::vector<std::byte>& answer) {
    constexpr std::string_view kAttempt = "read the kernel's answer about routes and queues";
    std::vector<std::byte> datagram(kLargestDatagram);
    const ssize_t size = checked(kAttempt, ::recv(socket.get(), datagram.data(), datagram.size(), 0));
    datagram.resize(static_cast<std::size_t>(size));
    bool last = not many or datagram.empty();
    for (const NetlinkMessage& message : messages_in(datagram)) {
        if (message.type == NLMSG_ERROR) {
            const int error = value_in<nlmsgerr>(message.body).value_or(nlmsgerr{.error = -EPROTO, .msg = {}}).error;
            throw SystemError("ask the kernel about routes and queues", -error);
        }
        last = last or message.type == NLMSG_DONE;
    }
    answer.resize(aligned(answer.size()));
    answer.insert(answer.end(), datagram.begin(), datagram.end());
    return last;
}

}  // namespace

std::vector<NetlinkMessage> messages_in(std::span<const std::byte> answer) {
    std::vector<NetlinkMessage> messages;
    while (const auto header = value_in<nlmsghdr>(answer)) {
        if (header->nlmsg_len < sizeof *header or header->nlmsg_len > answer.size()) {
            break;
        }
        messages.push_back({header->nlmsg_type, answer.subspan(sizeof *header, header->nlmsg_len - sizeof *header)});
        answer = behind(answer, header->nlmsg_len);
    }
    return messages;
}

std::vector<NetlinkAttribute> attributes_in(std::span<const std::byte> bytes) {
    std::vector<NetlinkAttribute> attributes;
    while (const auto header = value_in<rtattr>(bytes)) {
        if (header->rta_len < sizeof *header or header->rta_len > bytes.size()) {
            break;
        }
        const auto type = static_cast<std::uint16_t>(header->rta_type & NLA_TYPE_MASK);
        attributes.push_back({type, bytes.subspan(sizeof *header, header->rta_len - sizeof *header)});
        bytes = behind(bytes, header->rta_len);
    }
    return attributes;
}

std::string text_in(std::span<const std::byte> bytes) {
    const char* const text = reinterpret_cast<const char*>(bytes.data());
    return {text, ::strnlen(text, bytes.size())};
}

void NetlinkRequest::begin(std::uint16_t type, std::uint16_t flags) {
    many_ = (flags & NLM_F_DUMP) == NLM_F_DUMP;
    nlmsghdr header{};
    header.nlmsg_type = type;
    header.nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | flags);
    append(&header, sizeof header);
}

void NetlinkRequest::append(const void* bytes, std::size_t size) {
    const auto* const first = static_cast<const std::byte*>(bytes);
    bytes_.insert(bytes_.end(), first, first + size);
    bytes_.resize(aligned(bytes_.size()));
    const auto length = static_cast<std::uint32_t>(bytes_.size());
    std::memcpy(bytes_.data() + offsetof(nlmsghdr, nlmsg_len), &length, sizeof length);
}

void NetlinkRequest::add(std::uint16_t type, std::span<const std::byte> value) {
    const rtattr header{.rta_len = static_cast<std::uint16_t>(sizeof(rtattr) + value.size()), .rta_type = type};
    append(&header, sizeof header);
    append(value.data(), value.size());
}

void NetlinkRequest::add(std::uint16_t type, std::uint32_t value) {
    add(type, std::as_bytes(std::span(&value, 1)));
}

std::vector<std::byte> NetlinkRequest::answer() const {
    constexpr std::string_view kAttempt = "ask the kernel about routes and queues";
    const FileDescriptor socket(checked(kAttempt, ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE)));
    checked(kAttempt, ::send(socket.get(), bytes_.data(), bytes_.size(), 0));
    std::vector<std::byte> all;
    while (not receive(socket, many_, all)) {
    }
    return all;
}

}  // namespace groma
