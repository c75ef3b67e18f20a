// The runs in reverse of a receiver: it sends to whoever asks for it, and to nobody else (docs/guide/reverse.md).
#pragma once

#include <cstddef>
#include <memory>

#include "receiver/receiver_options.hpp"
#include "receiver/reverse_desk.hpp"

namespace groma {

/// A desk for at most ReceiverOptions::reverse_runs runs at once, with the folders and times of the receiver. Returns:
/// null if it takes none. The clock outlives the desk.
[[nodiscard]] OpenReverseDesk reverse_desk(const ReceiverOptions& options, Clock& clock);

}  // namespace groma
