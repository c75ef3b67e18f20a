#include "common/shipping/spool/spool_description.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/json/json_record.hpp"
#include "common/log/log_name.hpp"
#include "common/os/checked.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/shipping/spool/spool_folders.hpp"

namespace groma {

namespace {

constexpr UpTo kSpoolText{300};
constexpr const char* kDescriptionFile = "log.json";
constexpr std::size_t kLongestDescription = 8192;

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

void write_file(const std::filesystem::path& file, const std::string& text) {
    const std::string attempt = "write " + file.string();
    const FileDescriptor fd(checked(attempt, ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)));
    if (::write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
        throw SystemError(attempt, errno == 0 ? ENOSPC : errno, kSpoolFolderAdvice);
    }
    checked(attempt, ::fsync(fd.get()));  // after a power failure, whatever was written can still be delivered
}

std::string read_file(const std::filesystem::path& file) {
    const FileDescriptor fd(checked("read " + file.string(), ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)));
    std::string text(kLongestDescription, '\0');
    text.resize(static_cast<std::size_t>(checked("read " + file.string(), ::read(fd.get(), text.data(), text.size()))));
    return text;
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
    fields.unless({}, "asker", description.asker, kSpoolText);
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
        description.asker = plain_text(description.asker);
        return description;
    } catch (const UsageError& error) {
        throw RunError(error.what());
    }
}

void write_spool_description(const std::filesystem::path& folder, const SpoolDescription& description) {
    write_file(folder / kDescriptionFile, to_json(description));
}

SpoolDescription read_spool_description(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / kDescriptionFile;
    try {
        return parse_spool_description(read_file(file));
    } catch (const RunError& error) {
        throw RunError("cannot understand " + file.string() + ": " + error.what());
    }
}

}  // namespace groma
