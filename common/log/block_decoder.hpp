// What an intact block of a log says.
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
    /// Tells the visitor. Returns: nothing, or the gap that the block is because what it says cannot be understood; the
    /// visitor was told nothing then. Throws: what the visitor throws.
    [[nodiscard]] std::optional<LogGap> decode(const LogBlock& block, LogVisitor& visitor);

private:
    /// Returns: what is wrong with the block, or nothing.
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
