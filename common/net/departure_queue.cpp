#include "common/net/departure_queue.hpp"

#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <string_view>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/net/netlink.hpp"

namespace groma {

namespace {

std::string text_in(std::span<const std::byte> bytes) {
    const char* const text = reinterpret_cast<const char*>(bytes.data());
    return {text, ::strnlen(text, bytes.size())};
}

void take_fq(std::span<const std::byte> options, QueueingDiscipline& discipline) {
    for (const NetlinkAttribute& option : attributes_in(options)) {
        if (option.type == TCA_FQ_FLOW_PLIMIT) {
            discipline.most_of_flow = value_in<std::uint32_t>(option.value).value_or(0);
        }
    }
}

void take_etf(std::span<const std::byte> options, QueueingDiscipline& discipline) {
    for (const NetlinkAttribute& option : attributes_in(options)) {
        const auto settings = value_in<tc_etf_qopt>(option.value);
        if (option.type == TCA_ETF_PARMS and settings) {
            discipline.delta = Nanos{settings->delta};
            discipline.deadlines = (settings->flags & TC_ETF_DEADLINE_MODE_ON) != 0;
            discipline.offload = (settings->flags & TC_ETF_OFFLOAD_ON) != 0;
        }
    }
}

void take_prio(std::span<const std::byte> options, QueueingDiscipline& discipline) {
    if (const auto map = value_in<tc_prio_qopt>(options)) {
        auto& queues = discipline.by_priority.emplace();
        for (std::size_t priority = 0; priority < queues.size(); ++priority) {
            queues[priority] = {map->priomap[priority], 1};
        }
    }
}

/// Of mqprio and taprio: priorities belong to classes, and classes have queues.
void take_classes(std::span<const std::byte> options, QueueingDiscipline& discipline) {
    if (const auto map = value_in<tc_mqprio_qopt>(options)) {
        auto& queues = discipline.by_priority.emplace();
        for (std::size_t priority = 0; priority < queues.size(); ++priority) {
            const std::size_t number = map->prio_tc_map[priority] % TC_QOPT_MAX_QUEUE;
            queues[priority] = {map->offset[number], map->count[number]};
        }
    }
}

void take_taprio(std::span<const std::byte> options, QueueingDiscipline& discipline) {
    for (const NetlinkAttribute& option : attributes_in(options)) {
        if (option.type == TCA_TAPRIO_ATTR_PRIOMAP) {
            take_classes(option.value, discipline);
        }
    }
}

struct OptionsReader {
    std::string_view kind;
    void (*take)(std::span<const std::byte> options, QueueingDiscipline& discipline);
};
constexpr std::array kReaders{OptionsReader{"fq", take_fq}, OptionsReader{"etf", take_etf},
                              OptionsReader{"prio", take_prio}, OptionsReader{"mqprio", take_classes},
                              OptionsReader{"taprio", take_taprio}};

QueueingDiscipline discipline_in(const tcmsg& head, std::span<const std::byte> attributes) {
    QueueingDiscipline discipline{
        .device = head.tcm_ifindex, .handle = head.tcm_handle, .parent = head.tcm_parent, .kind = {}};
    std::span<const std::byte> options;
    for (const NetlinkAttribute& attribute : attributes_in(attributes)) {
        if (attribute.type == TCA_KIND) {
            discipline.kind = text_in(attribute.value);
        } else if (attribute.type == TCA_OPTIONS) {
            options = attribute.value;
        }
    }
    for (const OptionsReader& reader : kReaders) {
        if (reader.kind == discipline.kind) {
            reader.take(options, discipline);
        }
    }
    return discipline;
}

/// Whether packets of this priority pass `queue`, which belongs to `root`.
bool is_passed(const QueueingDiscipline& queue, const QueueingDiscipline& root, std::uint32_t priority) {
    if (queue.device != root.device or queue.parent == TC_H_ROOT or TC_H_MAJ(queue.parent) != TC_H_MAJ(root.handle)) {
        return false;
    }
    if (not root.by_priority) {
        return root.kind == "mq";
    }
    const QueueRange range = (*root.by_priority)[priority % root.by_priority->size()];
    const std::uint32_t number = TC_H_MIN(queue.parent) - 1;
    return number >= range.first and number - range.first < range.count;
}

/// The device's own, or those of its queues if it has several.
std::vector<QueueingDiscipline> that_packets_pass(int number, const std::vector<QueueingDiscipline>& all,
                                                  std::uint32_t priority) {
    const auto root = std::ranges::find_if(
        all, [number](const QueueingDiscipline& each) { return each.device == number and each.parent == TC_H_ROOT; });
    if (root == all.end()) {
        return {};
    }
    std::vector<QueueingDiscipline> found;
    std::ranges::copy_if(all, std::back_inserter(found),
                         [&](const QueueingDiscipline& each) { return is_passed(each, *root, priority); });
    return found.empty() ? std::vector{*root} : found;
}

[[noreturn]] void refuse(const std::string& device, const std::string& why) {
    throw RunError("the kernel cannot let packets go at their departure times: " + why +
                   "; give it a queue that can (tc qdisc replace dev " + device +
                   " root fq), or send with --departure user");
}

bool holds_packets(const QueueingDiscipline& discipline) {
    return discipline.kind == "fq" or (discipline.kind == "etf" and discipline.delta and not discipline.deadlines);
}

std::string in_words(const QueueingDiscipline& discipline) {
    const std::string kind = plain_text(discipline.kind, 40);
    return discipline.deadlines ? kind + " that takes times for deadlines (deadline_mode)" : kind;
}

std::span<const std::byte> host_bytes(const SocketAddress& address) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(address.data());
    return address.family() == AF_INET6
               ? std::span(bytes, address.size()).subspan(offsetof(sockaddr_in6, sin6_addr), sizeof(in6_addr))
               : std::span(bytes, address.size()).subspan(offsetof(sockaddr_in, sin_addr), sizeof(in_addr));
}

/// Link-local addresses name their interface.
std::uint32_t scope_of(const SocketAddress& address) {
    if (address.family() != AF_INET6) {
        return 0;
    }
    sockaddr_in6 full{};
    std::memcpy(&full, address.data(), sizeof full);
    return full.sin6_scope_id;
}

int device_towards(const SocketAddress& from, const SocketAddress& to, const std::string& device) {
    rtmsg body{};
    body.rtm_family = static_cast<unsigned char>(to.family());
    body.rtm_dst_len = body.rtm_src_len = static_cast<unsigned char>(8 * host_bytes(to).size());
    NetlinkRequest request(RTM_GETROUTE, 0, body);
    request.add(RTA_DST, host_bytes(to));
    request.add(RTA_SRC, host_bytes(from));
    if (const std::uint32_t through = device.empty() ? scope_of(to) : ::if_nametoindex(device.c_str()); through > 0) {
        request.add(RTA_OIF, through);
    }
    const std::vector<std::byte> answer = request.answer();
    for (const NetlinkMessage& message : messages_in(answer)) {
        const std::size_t head = std::min(sizeof(rtmsg), message.body.size());
        for (const NetlinkAttribute& attribute : attributes_in(message.body.subspan(head))) {
            if (message.type == RTM_NEWROUTE and attribute.type == RTA_OIF) {
                return value_in<int>(attribute.value).value_or(0);
            }
        }
    }
    throw RunError("the kernel does not say which device packets to " + to.host_to_string() +
                   " take: send with --departure user");
}

}  // namespace

std::vector<QueueingDiscipline> disciplines_in(std::span<const std::byte> answer) {
    std::vector<QueueingDiscipline> all;
    for (const NetlinkMessage& message : messages_in(answer)) {
        const auto head = value_in<tcmsg>(message.body);
        if (message.type == RTM_NEWQDISC and head) {
            all.push_back(discipline_in(*head, message.body.subspan(sizeof(tcmsg))));
        }
    }
    return all;
}

DepartureQueue departure_queue(const std::string& device, int number, const std::vector<QueueingDiscipline>& all,
                               std::uint32_t priority) {
    const std::vector<QueueingDiscipline> passed = that_packets_pass(number, all, priority);
    if (passed.empty()) {
        refuse(device, "it does not say which queueing discipline " + device + " has");
    }
    const QueueingDiscipline& first = passed.front();
    for (const QueueingDiscipline& each : passed) {
        if (not holds_packets(each)) {
            refuse(device, "the queueing discipline of " + device + " is " + in_words(each) + ", not fq or etf");
        }
        if (each.kind != first.kind or each.delta != first.delta or each.offload != first.offload) {
            refuse(device, "the queues of " + device + " have different queueing disciplines");
        }
    }
    DepartureQueue queue{.kind = first.kind == "etf" ? DepartureQueue::Kind::etf : DepartureQueue::Kind::fq,
                         .name = first.kind + " on " + device};
    queue.most_of_flow = first.most_of_flow;
    queue.delta = first.delta.value_or(Nanos{0});
    queue.offload = first.offload;
    return queue;
}

DepartureQueue departure_queue_towards(const SocketAddress& from, const SocketAddress& to,
                                       const TransportOptions& options) {
    const int number = device_towards(from, to, options.device);
    std::array<char, IF_NAMESIZE> name{};
    if (::if_indextoname(static_cast<unsigned>(number), name.data()) == nullptr) {
        throw SystemError("find the device that packets to " + to.host_to_string() + " take", errno);
    }
    tcmsg body{};
    body.tcm_family = AF_UNSPEC;
    body.tcm_ifindex = number;
    const std::vector<std::byte> answer = NetlinkRequest(RTM_GETQDISC, NLM_F_DUMP, body).answer();
    return departure_queue(name.data(), number, disciplines_in(answer), options.priority.value_or(0));
}

}  // namespace groma
