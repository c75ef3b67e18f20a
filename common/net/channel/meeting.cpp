#include "common/net/channel/meeting.hpp"

#include <utility>

#include "common/net/socket/connecting.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "common/net/socket/socket_options.hpp"

namespace groma {

FileDescriptor channel_socket(const ChannelSpec& spec) {
    return spec.met != nullptr ? std::move(*spec.met) : open_flow_socket(spec.transport, spec.to);
}

void bind_source(const FileDescriptor& socket, const ChannelSpec& spec) {
    if (spec.met == nullptr) {
        bind_to_source(socket, spec.options, spec.to);
    }
}

void reach(const FileDescriptor& socket, const ChannelSpec& spec, Clock& clock) {
    bind_source(socket, spec);
    if (spec.met == nullptr) {
        connect_before({clock.now() + spec.limit, clock}, socket, labelled(socket, spec.to, spec.options),
                       traits(spec.transport).title);
    }
}

}  // namespace groma
