#include "joint/part_logs.hpp"

#include <fstream>
#include <stdexcept>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/log/file_sink.hpp"
#include "common/log/log_part.hpp"
#include "common/model/text/human.hpp"
#include "sender/run/log_folder.hpp"

namespace groma {

namespace {

constexpr std::size_t kLongestFileName = 200;
constexpr std::string_view kEnd = ".glog";

/// Whether it is `base`, or "BASE-of-a-receiver".
bool is_called_after(std::string_view name, std::string_view base) {
    const std::string_view stem = base.substr(0, base.size() - kEnd.size());
    return name == base or (name.size() > stem.size() and name.size() <= kLongestFileName and name.starts_with(stem) and
                            name.ends_with(kEnd) and name[stem.size()] == '-' and
                            name.find('/') == std::string_view::npos and shows_as_it_is(name));
}

}  // namespace

PartLogs::OneLog& PartLogs::one(std::uint32_t number, const SendReport& report) {
    const std::size_t most = names_.receivers.empty() ? 0 : report.receivers.size();
    if (number > most) {
        throw RunError("a log of receiver " + std::to_string(number) + " came, of " + std::to_string(most));
    }
    return logs_[number];
}

void PartLogs::require_name(const RunLogSection& log) const {
    const bool known = log.log == 0 ? log.name == names_.own : is_called_after(log.name, names_.receivers);
    if (not known) {
        throw RunError("a log came under a name that was not asked for, '" + plain_text(log.name, kLongestFileName) +
                       "'");
    }
}

void PartLogs::take(const RunLogSection& log, const SendReport& report) {
    OneLog& kept = one(log.log, report);
    require_name(log);
    if (not kept.error.empty() or kept.whole) {
        return;
    }
    try {
        if (not kept.file) {
            kept.file.emplace(open_named_file_sink(folder_ / log.name));
        }
        kept.file->take(log.section, longest_log(report));
        const bool sound = log.log > 0 or report.remote_logs.empty() or report.remote_logs.back().error.empty();
        kept.whole = kept.file->whole() and sound;
    } catch (const std::runtime_error& error) {
        kept.error = error.what();
    }
}

void PartLogs::take(const RunLogLost& lost, const SendReport& report) {
    OneLog& log = one(lost.log, report);
    if (log.error.empty()) {
        log.error = plain_text(lost.reason);
        log.is_lost = true;
    }
}

void PartLogs::finish(bool began) {
    if (began and not logs_[0].file) {
        const std::ofstream empty(part_of_log((folder_ / names_.own).string()), std::ios::app);
    }
    for (auto& [number, log] : logs_) {
        if (not log.whole) {
            continue;
        }
        try {
            log.file->close();
        } catch (const std::runtime_error& error) {
            log.whole = false;
            log.error = error.what();
        }
    }
}

void PartLogs::note(SendReport& report, const std::string& why) const {
    static const OneLog kNothing;
    const auto found = [this](std::size_t number) -> const OneLog& {
        const auto log = logs_.find(static_cast<std::uint32_t>(number));
        return log == logs_.end() ? kNothing : log->second;
    };
    const std::string reason = why.empty() ? "its host sent no more of it" : why;
    LogReport& own = report.remote_logs.empty() ? report.remote_logs.emplace_back() : report.remote_logs.back();
    const OneLog& mine = found(0);
    own.name = (folder_ / names_.own).string();
    if (not mine.whole) {
        const std::string first =
            mine.file and mine.file->bytes() > 0
                ? "its first " + human_bytes(mine.file->bytes()) + " are in " + part_of_log(own.name)
                : "nothing came of it";
        const std::string& last = not own.error.empty() ? own.error : mine.error.empty() ? reason : mine.error;
        own.error = first + ": " + last;
    }
    for (std::size_t i = 0; i < report.receivers.size() and not names_.receivers.empty(); ++i) {
        ReceiverReport& receiver = report.receivers[i];
        const OneLog& log = found(i + 1);
        if (log.whole) {
            receiver.log_file = log.file->describe();
        } else if (receiver.log_error.empty()) {
            receiver.log_error = log.is_lost ? log.error
                                             : not_fetched(receiver, log.file ? &*log.file : nullptr,
                                                           log.error.empty() ? reason : log.error);
        }
    }
}

}  // namespace groma
