#include "python/extension/packet_columns.hpp"

namespace groma {

namespace {

/// One member of each record, as a column.
template <typename T, typename Record, typename Value>
void append_each(GrowingColumn<T>& column, std::span<const Record> records, Value value) {
    std::ranges::transform(records, column.extend(records.size()).begin(),
                           [&](const Record& record) { return static_cast<T>(value(record)); });
}

template <typename Record>
void append_times(GrowingColumn<std::int64_t>& column, std::span<const Record> records, WallTime Record::*time) {
    append_each(column, records, [time](const Record& record) { return ns_since_epoch(record.*time); });
}

template <typename Record>
std::vector<std::uint64_t> numbers_of(std::span<const Record> records) {
    std::vector<std::uint64_t> numbers(records.size());
    std::ranges::transform(records, numbers.begin(), &Record::seq);
    return numbers;
}

/// A column that is empty where it is unknown for all packets.
void append_or_zero(GrowingColumn<std::uint8_t>& column, std::span<const std::uint64_t> values, std::size_t count) {
    if (values.empty()) {
        column.append(count, 0);
    } else {
        column.append(values);
    }
}

}  // namespace

void PacketColumns::add(FlowId of, std::span<const std::uint64_t> numbers) {
    if (rows.empty() or rows.back().flow != of) {
        rows.push_back({.flow = of, .first = count()});
    }
    rows.back().count += numbers.size();
    flow.append(numbers.size(), of.value);
    seq.append(numbers);
}

void SentPackets::add(FlowId of, const SentColumns& records) {
    PacketColumns::add(of, records.seq);
    sent_ns.append(records.sent_at);
    lateness_ns.append(records.lateness);
    size.append(records.size);
    batch.append(records.batch);
}

void ReceivedPackets::add(FlowId of, const ReceivedColumns& records) {
    PacketColumns::add(of, records.seq);
    sent_ns.append(records.sent_at);
    received_ns.append(records.received_at);
    size.append(records.size);
    append_or_zero(ttl, records.ttl, records.count());
    append_or_zero(ds_byte, records.ds_byte, records.count());
}

void ReturnedPackets::add(FlowId of, std::span<const RoundTripRecord> records) {
    PacketColumns::add(of, numbers_of(records));
    append_times(sent_ns, records, &RoundTripRecord::sent_at);
    append_times(returned_ns, records, &RoundTripRecord::returned_at);
    append_times(reflected_ns, records, &RoundTripRecord::reflected_at);
    append_times(replied_ns, records, &RoundTripRecord::replied_at);
    append_each(size, records, [](const RoundTripRecord& record) { return record.size; });
}

void TransmittedPackets::add(FlowId of, std::span<const TransmitRecord> records) {
    PacketColumns::add(of, numbers_of(records));
    append_times(transmitted_ns, records, &TransmitRecord::transmitted_at);
}

}  // namespace groma
