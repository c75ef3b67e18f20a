// The receivers of a run and the flows of each. Pure: names are already resolved.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/access/access_key.hpp"
#include "common/control/messages.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/net/socket/socket_address.hpp"
#include "sender/plan/flow_secrets.hpp"

namespace groma {

/// The host name of flows to any receiver that calls in; not a valid host name.
inline constexpr std::string_view kWhoeverCalls = "*";

struct ReceiverPlan {
    SocketAddress address;  ///< of its control port; for a receiver that calls in: the caller's address, once known
    std::vector<FlowSpec> flows;
    std::string name{};               ///< of a receiver that calls in; empty: any caller, or not calling in
    std::vector<DialTarget> dial{};   ///< for a receiver that called in: the addresses for its flows
    std::string host{};               ///< of its address, as the user wrote it
    std::optional<OfferedKey> key{};  ///< to prove to it; nothing: none
    FlowSecrets secrets{};            ///< of the sealed flows
};

/// One plan per address, in order of first use; flows keep their order.
/// Requires: an address of the control port for each flow.
[[nodiscard]] std::vector<ReceiverPlan> group_by_receiver(const std::vector<FlowSpec>& flows,
                                                          std::span<const SocketAddress> addresses);

/// One plan per receiver name ("to" in an experiment file), in order of first use, for receivers that call in. Their
/// addresses are still unknown.
[[nodiscard]] std::vector<ReceiverPlan> group_by_name(const std::vector<FlowSpec>& flows);

/// Flows in pieces of at most kMaxFlowsPerMessage, and of as many values of lists as a message has room for. `dial`:
/// one for each flow, or none.
[[nodiscard]] std::vector<OpenFlows> in_pieces(const std::vector<FlowSpec>& flows,
                                               const std::vector<DialTarget>& dial = {},
                                               const FlowSecrets& secrets = {});

/// An address as part of a file's name: "fe80__1_eth0".
[[nodiscard]] std::string file_name_part(std::string address);

/// The name of a receiver's log. One receiver: `base`. Several: with the receiver's address before the extension
/// ("recv.glog" -> "recv-10.0.0.2.glog"; its name if it calls in), so that receivers with a shared folder do not
/// overwrite each other's logs. Two receivers on one host also get the port. Empty stays empty.
[[nodiscard]] std::string receiver_log_name(std::string_view base, const std::vector<ReceiverPlan>& plans,
                                            std::size_t which);

/// The name of a receiver's log in a run with several senders: "receiver-beta-from-alpha".
[[nodiscard]] std::string shared_receiver_log_name(const ReceiverPlan& plan, std::string_view sender);

/// Throws: RunError if the receiver's answer does not match the request: other flows, or no ports.
void check_ports(const ReceiverPlan& plan, const std::vector<OpenedFlow>& ports);

}  // namespace groma
