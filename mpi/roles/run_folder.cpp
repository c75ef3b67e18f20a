#include "mpi/roles/run_folder.hpp"

#include <fstream>
#include <iterator>
#include <system_error>

#include "common/base/errors.hpp"

namespace groma {

namespace {

constexpr const char* kMark = ".groma-mpi";

void make_folder(const std::filesystem::path& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) {
        throw SystemError("make the folder " + path.string(), error.value(), "--out DIR names another");
    }
}

std::string mark_in(const std::filesystem::path& path) {
    std::ifstream in(path / kMark);
    std::string mark;
    std::getline(in, mark);
    return mark;
}

}  // namespace

RunFolder RunFolder::make(const std::filesystem::path& path, const std::string& mark) {
    RunFolder folder(std::filesystem::absolute(path).lexically_normal(), true);
    if (std::filesystem::exists(folder.path_ / "report.json") or std::filesystem::exists(folder.logs())) {
        throw RunError("cannot use the folder " + folder.path_.string() +
                       ": it has the results of another run (--out DIR names another)");
    }
    make_folder(folder.logs());
    std::ofstream out(folder.path_ / kMark);
    out << mark << '\n';
    out.close();
    if (not out) {
        throw SystemError("write to the folder " + folder.path_.string(), EIO, "--out DIR names another");
    }
    return folder;
}

RunFolder RunFolder::join(const std::filesystem::path& path, const std::string& mark) {
    RunFolder folder(path, mark_in(path) == mark);
    make_folder(folder.logs());
    return folder;
}

void RunFolder::leave_behind(const std::string& name, const std::string& text) const noexcept {
    const auto file = path_ / (kMark + ('-' + name));
    std::error_code ignored;
    std::ofstream(file.string() + ".part") << text;
    std::filesystem::rename(file.string() + ".part", file, ignored);
}

std::string RunFolder::take_left_behind(const std::string& name) const {
    const auto file = path_ / (kMark + ('-' + name));
    std::ifstream in(file, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    return text;
}

void RunFolder::remove_mark() const noexcept {
    std::error_code ignored;
    std::filesystem::remove(path_ / kMark, ignored);
}

void RunFolder::remove_empty_spool() const noexcept {
    std::error_code ignored;
    std::filesystem::remove(spool(), ignored);
}

}  // namespace groma
