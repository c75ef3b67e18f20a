// Untrusted data between ranks of an MPI job: messages, the orders and reports in them, letters of logs, names of
// files. Refused with a message, or the same once written and read again; no name leads out of the folder of the run. A
// message is CBOR, or JSON that is made into it here.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/json/json_record.hpp"
#include "mpi/roles/rank_identity.hpp"
#include "mpi/roles/rank_order.hpp"
#include "mpi/roles/send_order.hpp"
#include "mpi/world/lent_files.hpp"
#include "mpi/world/log_letter.hpp"
#include "mpi/world/rank_message.hpp"
#include "sender/report/report_codec.hpp"
#include "tests/fuzz/expect_message.hpp"

namespace {

using namespace groma;  // a program of one file
using nlohmann::json;

/// As it arrives at another rank.
json delivered(const json& body) {
    return parse_rank_message(serialize({"it", body}), 1).body;
}

/// What `read` accepts, `write` turns into the same again.
void there_and_back(const json& body, const auto& read, const auto& write) {
    json once;
    try {
        once = delivered(write(read(body)));
    } catch (const UsageError& error) {
        expect_message(error.what());
        return;
    }
    check(delivered(write(read(once))) == once, "a body that was read and written reads differently");
}

void expect_within(const std::filesystem::path& folder, const std::filesystem::path& file) {
    const auto relative = file.lexically_normal().lexically_relative(folder);
    check(not relative.empty() and *relative.begin() != "..", "a name leads out of its folder");
}

void look_at(const SendOrder& order) {
    const std::filesystem::path logs = "/run/logs";
    expect_within(logs, logs / ("sender-" + order.sender + ".glog"));
}

void look_at_body(const json& body) {
    there_and_back(body, from_json<RankIdentity>, [](const RankIdentity& identity) { return to_json(identity); });
    there_and_back(body, from_json<RankOrder>, [](const RankOrder& order) { return to_json(order); });
    there_and_back(
        body,
        [](const json& object) {
            SendOrder order = from_json<SendOrder>(object);
            look_at(order);
            return order;
        },
        [](const SendOrder& order) { return to_json(order); });
    there_and_back(body, from_json<SendReport>, to_json<SendReport>);
}

void look_at_message(std::span<const std::byte> bytes) {
    try {
        const RankMessage message = parse_rank_message(bytes, 1);
        const RankMessage again = parse_rank_message(serialize(message), 1);
        check(serialize(again) == serialize(message), "a message that was read and written reads differently");
        look_at_body(message.body);
    } catch (const ProtocolError& error) {
        expect_message(error.what());
    }
}

void look_at_letter(std::span<const std::byte> bytes) {
    try {
        const LogLetter letter = parse_log_letter(bytes, "rank 1");
        check(std::ranges::equal(serialize(letter), bytes), "a letter is not what it was");
        const LogFrame frame = frame_of(letter, kMaxPieceFrame, "rank 1");
        check(not frame.valueless_by_exception(), "a frame is one of its kinds");
    } catch (const ProtocolError& error) {
        expect_message(error.what());
    }
}

void look_at_name(const std::string& name) {
    const std::filesystem::path folder = "/run";
    try {
        expect_within(folder, lent_path(folder, name));
    } catch (const UsageError& error) {
        expect_message(error.what());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    look_at_letter(bytes);
    look_at_name(std::string(text));
    if (not text.starts_with('{')) {
        look_at_message(bytes);
    } else if (const json message = json::parse(text, nullptr, false); not message.is_discarded()) {
        const std::vector<std::uint8_t> cbor = json::to_cbor(message);
        look_at_message(std::as_bytes(std::span(cbor)));
    }
    return 0;
}
