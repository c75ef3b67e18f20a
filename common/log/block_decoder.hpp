// Decodes an intact block of a log.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "common/log/block_stream.hpp"
#include "common/log/log_reader.hpp"
#include "common/wire/record_columns.hpp"
#include "common/wire/records.hpp"

namespace groma {

/// Owns scratch memory for one block. Thread: one at a time.
class BlockDecoder {
public:
    /// Calls the visitor. Returns: empty, or a gap if the block's contents are invalid; then the visitor was not
    /// called. Throws: what the visitor throws.
    [[nodiscard]] std::optional<LogGap> decode(const LogBlock& block, LogVisitor& visitor);

private:
    /// Returns: what is wrong with the block; empty if it is right.
    [[nodiscard]] std::string try_decode(const LogBlock& block, LogVisitor& visitor);
    template <typename Columns>
    [[nodiscard]] std::string decode_columns(const LogBlock& block, LogVisitor& visitor);
    template <typename Record>
    [[nodiscard]] std::string decode_records(const LogBlock& block, LogVisitor& visitor);

    RecordColumns columns_;
    std::tuple<std::vector<SentRecord>, std::vector<ReceivedRecord>, std::vector<RoundTripRecord>,
               std::vector<TransmitRecord>, std::vector<ConnectionSample>>
        records_;  ///< of one block at a time
};

}  // namespace groma
