// The packets of a log that a query wants, one row after the other: blocks that cannot hold one are not read. Memory:
// the records of one block.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "decoder/extension/packet_file.hpp"
#include "decoder/results/clock_state.hpp"

namespace groma {

/// A packet as a row; what is not known of it, or of its kind, is empty. Times are nanoseconds since 1970.
struct PacketRow {
    std::int64_t id = 0;  ///< place in the log: another one for each row
    BlockType kind{};
    FlowId flow{};
    std::int64_t at = 0;  ///< when it was sent, received, returned or transmitted, by the clock of the log's host
    std::optional<std::int64_t> seq{};
    std::optional<std::int64_t> sent_at{};
    std::optional<std::int64_t> size{};
    std::optional<std::int64_t> lateness{};  ///< ns, of sent packets
    std::optional<std::int64_t> batch{};
    std::optional<std::int64_t> delay{};  ///< ns, of received packets
    std::optional<std::int64_t> rtt{};    ///< ns, of returned packets
    std::optional<std::int64_t> reflected_at{};
    std::optional<std::int64_t> replied_at{};
    std::optional<std::int64_t> ttl{};
    std::optional<std::int64_t> ds_byte{};
};

class PacketRows {
public:
    /// Starts over with another query. A block that is held already is not read again. `clock` corrects delays; null:
    /// they are received less sent. Throws: SystemError.
    void start(std::shared_ptr<PacketFile> file, std::shared_ptr<const ClockState> clock, const PacketQuery& query);

    /// Goes to the next row. Throws: SystemError.
    void next();

    [[nodiscard]] bool at_end() const { return at_end_; }
    /// Requires: not at_end().
    [[nodiscard]] const PacketRow& row() const { return row_; }
    [[nodiscard]] const std::shared_ptr<PacketFile>& file() const { return file_; }
    /// Blocks that were read since the beginning, for tests of what is not.
    [[nodiscard]] std::uint64_t blocks_read() const { return blocks_read_; }

private:
    using Records = std::variant<std::vector<SentRecord>, std::vector<ReceivedRecord>, std::vector<RoundTripRecord>,
                                 std::vector<TransmitRecord>>;

    [[nodiscard]] bool load(std::uint32_t block);
    template <typename Record>
    [[nodiscard]] bool load_records(std::uint32_t block);
    /// The next record of the loaded block that the query wants, as the row. Returns: whether there is one.
    template <typename Record>
    [[nodiscard]] bool find_row(const std::vector<Record>& records);

    void fill(const SentRecord& record);
    void fill(const ReceivedRecord& record);
    void fill(const RoundTripRecord& record);
    void fill(const TransmitRecord& record);

    std::shared_ptr<PacketFile> file_;
    std::shared_ptr<const ClockState> clock_;
    PacketQuery query_;
    std::vector<std::uint32_t> blocks_;  ///< candidates
    std::size_t block_ = 0;              ///< the next one of them
    Records records_;
    std::optional<std::uint32_t> loaded_;  ///< whose records they are
    std::size_t record_ = 0;               ///< the next one of them
    bool in_block_ = false;                ///< rows of the loaded block may be left
    bool at_end_ = true;
    PacketRow row_;
    std::uint64_t blocks_read_ = 0;
};

}  // namespace groma
