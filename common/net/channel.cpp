#include "common/net/channel.hpp"

#include "common/net/inbox.hpp"

namespace groma {

std::unique_ptr<Inbox> Channel::open_replies(const ReplySpec&, Clock&) {
    return nullptr;
}

}  // namespace groma
