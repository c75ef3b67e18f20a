// Which receivers a run needs and what each has to be asked for. Pure: names were resolved before.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/control/messages.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/net/socket/socket_address.hpp"

namespace groma {

/// The host of flows that go to whoever calls in; no host is called so.
inline constexpr std::string_view kWhoeverCalls = "*";

struct ReceiverPlan {
    SocketAddress address;  ///< of its control port; of one that calls in: where the call comes from, once it has come
    std::vector<FlowSpec> flows;
    std::string name{};              ///< of a receiver that calls in; empty: whoever calls, or it does not
    std::vector<DialTarget> dial{};  ///< of a receiver that has called in: where its flows are awaited
};

/// One plan for each address, in the order of first use; flows keep their order.
/// Requires: an address of the control port for each flow.
[[nodiscard]] std::vector<ReceiverPlan> group_by_receiver(const std::vector<FlowSpec>& flows,
                                                          std::span<const SocketAddress> addresses);

/// One plan for each name that flows go to ("to" in an experiment file), in the order of first use: of receivers that
/// call in. Their addresses are not known yet.
[[nodiscard]] std::vector<ReceiverPlan> group_by_name(const std::vector<FlowSpec>& flows);

/// Flows in pieces of at most kMaxFlowsPerMessage. `dial`: one for each flow, or none.
[[nodiscard]] std::vector<OpenFlows> in_pieces(const std::vector<FlowSpec>& flows,
                                               const std::vector<DialTarget>& dial = {});

/// The name of a receiver's log: `base` as it is if there is one receiver, otherwise with the receiver's address before
/// the extension ("recv.glog" -> "recv-10.0.0.2.glog"; its name if it calls in), so that receivers that share a folder
/// do not overwrite each other's logs. Two receivers on one host are told apart by the port. Empty stays empty.
[[nodiscard]] std::string receiver_log_name(std::string_view base, const std::vector<ReceiverPlan>& plans,
                                            std::size_t which);

/// The name of a receiver's log of a run that several senders share: "receiver-beta-from-alpha".
[[nodiscard]] std::string shared_receiver_log_name(const ReceiverPlan& plan, std::string_view sender);

/// Throws: RunError when the receiver's answer does not fit what was asked for: other flows, or no ports.
void check_ports(const ReceiverPlan& plan, const std::vector<OpenedFlow>& ports);

}  // namespace groma
