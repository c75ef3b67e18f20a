#include "common/net/device/queueing_discipline.hpp"

#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <string_view>

#include "common/net/device/netlink.hpp"

namespace groma {

namespace {

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

void take_statistics(std::span<const std::byte> statistics, QueueingDiscipline& discipline) {
    for (const NetlinkAttribute& part : attributes_in(statistics)) {
        const auto queue = value_in<gnet_stats_queue>(part.value);
        if (part.type == TCA_STATS_QUEUE and queue) {
            discipline.dropped = queue->drops;
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
        } else if (attribute.type == TCA_STATS2) {
            take_statistics(attribute.value, discipline);
        }
    }
    for (const OptionsReader& reader : kReaders) {
        if (reader.kind == discipline.kind) {
            reader.take(options, discipline);
        }
    }
    return discipline;
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

std::vector<QueueingDiscipline> disciplines_of(int device) {
    tcmsg body{};
    body.tcm_family = AF_UNSPEC;
    body.tcm_ifindex = device;
    std::vector<QueueingDiscipline> all = disciplines_in(NetlinkRequest(RTM_GETQDISC, NLM_F_DUMP, body).answer());
    std::erase_if(all, [device](const QueueingDiscipline& each) { return each.device != device; });
    return all;
}

}  // namespace groma
