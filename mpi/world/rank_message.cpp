#include "mpi/world/rank_message.hpp"

#include "common/base/errors.hpp"

namespace groma {

using nlohmann::json;

namespace {

/// Refuses nesting deeper than in any message: nlohmann::json parses CBOR recursively, and a few megabytes of nested
/// arrays would overflow the stack.
class DepthLimit final : public nlohmann::json_sax<json> {
public:
    bool null() override { return true; }
    bool boolean(bool /*value*/) override { return true; }
    bool number_integer(number_integer_t /*value*/) override { return true; }
    bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
    bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
    bool string(string_t& /*value*/) override { return true; }
    bool binary(binary_t& /*value*/) override { return true; }
    bool key(string_t& /*value*/) override { return true; }
    bool start_object(std::size_t /*elements*/) override { return ++depth_ <= kDeepest; }
    bool start_array(std::size_t /*elements*/) override { return ++depth_ <= kDeepest; }
    bool end_object() override { return --depth_ >= 0; }
    bool end_array() override { return --depth_ >= 0; }
    bool parse_error(std::size_t /*at*/, const std::string& /*near*/, const json::exception& /*why*/) override {
        return false;
    }

private:
    static constexpr int kDeepest = 32;
    int depth_ = 0;
};

}  // namespace

std::vector<std::byte> serialize(const RankMessage& message) {
    const json whole = {{"kind", message.kind}, {"body", message.body}};
    std::vector<std::uint8_t> cbor;
    json::to_cbor(whole, cbor);
    const auto bytes = std::as_bytes(std::span(cbor));
    return {bytes.begin(), bytes.end()};
}

RankMessage parse_rank_message(std::span<const std::byte> bytes, int from) {
    DepthLimit limit;
    json whole = json::sax_parse(bytes, &limit, json::input_format_t::cbor) ? json::from_cbor(bytes, true, false)
                                                                            : json(json::value_t::discarded);
    if (not whole.is_object() or not whole.contains("kind") or not whole["kind"].is_string() or
        not whole.contains("body") or not whole["body"].is_object()) {
        throw ProtocolError("rank " + std::to_string(from),
                            "sent something that is not a message: install the same release on all hosts");
    }
    return {whole["kind"].get<std::string>(), std::move(whole["body"])};
}

}  // namespace groma
