#include "common/net/device/departure_queue.hpp"

#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

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

int device_of(const Way& way, DeviceQueues& queues) {
    try {
        return queues.device_of(way);
    } catch (const RunError& error) {
        throw RunError(std::string(error.what()) + ": send with --departure user");
    }
}

}  // namespace

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

DepartureQueue departure_queue_towards(const Way& way, std::uint32_t priority, DeviceQueues& queues) {
    const int number = device_of(way, queues);
    std::array<char, IF_NAMESIZE> name{};
    if (::if_indextoname(static_cast<unsigned>(number), name.data()) == nullptr) {
        throw SystemError("find the device that packets to " + way.to.host_to_string() + " take", errno);
    }
    return departure_queue(name.data(), number, queues.of(number), priority);
}

}  // namespace groma
