#include "common/net/user_sctp/user_sctp_options.hpp"

#ifdef GROMA_USRSCTP

namespace groma {

namespace {

constexpr std::uint16_t kGivenUpAfterTime = 1;   ///< SCTP_PR_SCTP_TTL of the library
constexpr std::uint16_t kGivenUpAfterTries = 3;  ///< SCTP_PR_SCTP_RTX

}  // namespace

UserSctpSocket::Label user_sctp_label(const TransportOptions& options) {
    UserSctpSocket::Label label;
    label.unordered = not options.ordered.value_or(true);
    if (options.lifetime) {
        label.policy = kGivenUpAfterTime;
        label.policy_value = static_cast<std::uint32_t>(
            std::chrono::duration_cast<std::chrono::milliseconds>(*options.lifetime).count());
    } else if (options.retransmissions) {
        label.policy = kGivenUpAfterTries;
        label.policy_value = *options.retransmissions;
    }
    return label;
}

std::vector<std::string> user_sctp_warnings(const TransportOptions& options) {
    std::vector<std::string> warnings;
    const auto note = [&warnings](bool asked, const char* what) {
        if (asked) {
            warnings.push_back(std::string(what) + " is not kept by SCTP in user space");
        }
    };
    note(options.ttl.has_value(), "ttl");
    note(options.ds_byte.has_value(), "ds_byte");
    note(options.flow_label.has_value(), "flow_label");
    note(options.dont_fragment.has_value(), "dont_fragment");
    note(options.priority.has_value(), "priority");
    note(options.send_buffer.has_value() or options.receive_buffer.has_value(), "the size of a buffer");
    note(not options.device.empty(), "device");
    return warnings;
}

std::uint16_t user_sctp_encapsulation(const TransportOptions& options) {
    return static_cast<std::uint16_t>(options.encapsulation.value_or(kSctpOverUdpPort));
}

}  // namespace groma

#endif
