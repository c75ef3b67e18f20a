// Text from elsewhere, made safe to show on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace groma {

/// Returns: `text` with every control character (C0, DEL, and C1 in UTF-8) as "\xNN", so that what a peer or a file
/// says cannot move the cursor. Line ends count as control characters. At most `limit` bytes are kept, with "..."
/// behind.
[[nodiscard]] std::string plain_text(std::string_view text, std::size_t limit = 2000);

}  // namespace groma
