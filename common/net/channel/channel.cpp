#include "common/net/channel/channel.hpp"

#include "common/net/channel/inbox.hpp"

namespace groma {

std::unique_ptr<Inbox> Channel::open_replies(const ReplySpec&, Clock&) {
    return nullptr;
}

}  // namespace groma
