#include "sender/daemon/logs_to_client.hpp"

#include "common/json/json_record.hpp"
#include "common/json/json_text.hpp"
#include "sender/report/report_codec.hpp"

namespace groma {

std::string report_of_part(const SendReport& report) {
    return json_text(to_json(report));
}

void LogsToClient::take(const SendReport& report) {
    const std::string whole = report_of_part(report);
    for (std::string& piece : report_pieces(whole)) {
        send_(RunReport{.json = true, .piece = std::move(piece)});
    }
}

void LogsToClient::take(std::size_t log, const std::string& name, const LogSection& section) {
    send_(RunLogSection{.log = static_cast<std::uint32_t>(log), .name = name, .section = section});
}

void LogsToClient::lose(std::size_t log, const std::string& why) {
    send_(RunLogLost{.log = static_cast<std::uint32_t>(log), .reason = why});
}

}  // namespace groma
