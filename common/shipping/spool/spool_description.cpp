#include "common/shipping/spool/spool_description.hpp"

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/json/json_record.hpp"
#include "common/log/log_name.hpp"

namespace groma {

namespace {

constexpr UpTo kSpoolText{300};

LogTransport log_transport_of(std::string_view text) {
    const auto transport = parse_log_transport(text);
    if (not transport) {
        throw UsageError("it is unknown");
    }
    return *transport;
}

void expect_log_name(const std::string& name) {
    if (const std::string error = log_name_error(name); not error.empty()) {
        throw UsageError("it " + error);
    }
}

}  // namespace

template <typename Fields>
void describe(Fields& fields, As<Fields, SpoolDescription>& description) {
    std::int64_t version = kLogProtocolVersion;
    fields("protocol", version);
    if (version != kLogProtocolVersion) {
        throw UsageError("it was written for version " + std::to_string(version) +
                         " of the log protocol: deliver it with the release that wrote it");
    }
    fields("server", description.server, kSpoolText);
    fields.as("transport", description.transport, log_transport_of);
    fields("experiment", description.experiment, kSpoolText);
    fields("name", description.name, kSpoolText);
    fields("token", description.token);
    fields("program", description.program, kSpoolText);
    fields("started_ns", description.started);
    fields.when_read("experiment", [&] { expect_log_name(description.experiment); });
    fields.when_read("name", [&] { expect_log_name(description.name); });
}

std::string to_json(const SpoolDescription& description) {
    return json_text(JsonWriter::written(description), 2) + '\n';
}

SpoolDescription parse_spool_description(const std::string& text) {
    try {
        auto description = from_json<SpoolDescription>(parse_json(text));
        description.program = plain_text(description.program);
        return description;
    } catch (const UsageError& error) {
        throw RunError(error.what());
    }
}

}  // namespace groma
