#include "common/access/key_files.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

AccessKey key_named(const std::string& name) {
    std::array<std::byte, Secret::kBytes> bytes{};
    bytes.fill(static_cast<std::byte>(name.back()));
    return {.grant = {.name = name, .roles = {Role::view}}, .secret = Secret(bytes)};
}

KnownKey part_of(const AccessKey& key, const std::vector<std::string>& hosts = {"beta", "10.0.0.2"}) {
    return known_by_host(key, hosts);
}

class KeyFiles : public ::testing::Test {
protected:
    std::string file(const std::string& name, const std::string& text, mode_t mode = 0600) {
        const std::filesystem::path path = folder_.path() / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
        EXPECT_EQ(::chmod(path.c_str(), mode), 0);
        return path.string();
    }
    std::string user_file(const std::string& name) {
        return file(name, text_of(key_named(std::filesystem::path(name).filename().string())));
    }
    [[nodiscard]] std::filesystem::path folder() const { return folder_.path(); }

    /// What UsageError says.
    template <typename Run>
    static std::string refused(const Run& run) {
        try {
            static_cast<void>(run());
        } catch (const UsageError& error) {
            return error.what();
        }
        return "accepted";
    }
    static std::string file_refused(const std::filesystem::path& file) {
        return refused([&file] { return read_access_key(file); });
    }
    [[nodiscard]] std::string folder_refused() const {
        return refused([this] { return read_key_folder(folder()); });
    }

private:
    TemporaryFolder folder_;
};

TEST_F(KeyFiles, OfBothKindsAreRead) {
    EXPECT_EQ(read_access_key(file("lab", text_of(key_named("lab")))), key_named("lab"));
    EXPECT_EQ(read_known_key(file("beta", text_of(part_of(key_named("lab"))), 0400)), part_of(key_named("lab")));
}

TEST_F(KeyFiles, ThatOthersCanReadAreRefused) {
    for (const mode_t mode : {0644U, 0640U, 0604U, 0620U, 0602U, 0601U}) {
        const std::string name = file("lab.key", text_of(key_named("lab")), mode);
        EXPECT_EQ(file_refused(name), name + " can be read by others, so that it may be theirs already: chmod 600 " +
                                          name + " if they have not seen it, or make another key");
    }
    const std::string name = file("beta.key", text_of(part_of(key_named("lab"))), 0644);
    EXPECT_THAT(refused([&name] { return read_known_key(name); }), HasSubstr("can be read by others"));
}

TEST_F(KeyFiles, OfRootThatAServiceManagerHandsOverMayHaveAnAccessList) {
    const auto is_read = [this](mode_t mode) {
        return refused([&] { return read_known_key(file("beta.key", text_of(part_of(key_named("lab"))), mode)); }) ==
               "accepted";
    };
    EXPECT_FALSE(is_read(0440));
    ::setenv("CREDENTIALS_DIRECTORY", folder().c_str(), 1);
    EXPECT_EQ(is_read(0440), ::geteuid() == 0);
    EXPECT_FALSE(is_read(0444));
    EXPECT_FALSE(is_read(0460));
    ::setenv("CREDENTIALS_DIRECTORY", folder().parent_path().c_str(), 1);
    EXPECT_FALSE(is_read(0440));
    ::unsetenv("CREDENTIALS_DIRECTORY");
}

TEST_F(KeyFiles, ThatAreNoFilesAreRefusedAtOnce) {
    const std::filesystem::path pipe = folder() / "pipe.key";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(file_refused(pipe), pipe.string() + " is no key: it is not a file");
    const std::filesystem::path inner = folder() / "folder.key";
    std::filesystem::create_directory(inner);
    EXPECT_EQ(file_refused(inner), inner.string() + " is no key: it is not a file");
    EXPECT_EQ(file_refused("/dev/null"), "/dev/null is no key: it is not a file");
}

TEST_F(KeyFiles, ThatAreTooLargeAreRefused) {
    const std::string text = text_of(key_named("lab"));
    constexpr std::size_t kLargest = std::size_t{64} << 10U;
    EXPECT_EQ(file_refused(file("lab.key", text + std::string(kLargest - text.size(), ' '))), "accepted");
    EXPECT_THAT(file_refused(file("lab.key", text + std::string(kLargest - text.size() + 1, ' '))),
                HasSubstr("lab.key is no key: it is larger than 64 KiB"));
}

TEST_F(KeyFiles, ThatAreNotThereAreErrorsOfTheSystem) {
    EXPECT_THROW(static_cast<void>(read_access_key(folder() / "absent")), SystemError);
    EXPECT_THROW(static_cast<void>(read_key_folder(folder() / "absent")), SystemError);
}

TEST_F(KeyFiles, ALinkToAKeyIsRead) {
    std::filesystem::create_symlink(file("lab", text_of(key_named("lab"))), folder() / "link");
    EXPECT_EQ(read_access_key(folder() / "link"), key_named("lab"));
}

TEST_F(KeyFiles, AFolderGivesItsKeysByTheirIds) {
    file("a.key", text_of(part_of(key_named("a"))));
    file("b.key", text_of(part_of(key_named("b"))));
    const KeyRing ring = read_key_folder(folder());
    EXPECT_EQ(ring.keys(), 2U);
    for (const char* host : {"beta", "10.0.0.2"}) {
        const SharedKey offered = key_named("b").offered_to(host).key;
        const KeyRing::Entry* const found = ring.find(offered.id);
        ASSERT_NE(found, nullptr);
        EXPECT_EQ(found->grant.name, "b");
        EXPECT_EQ(found->secret, offered.secret);
    }
    EXPECT_EQ(ring.find(key_named("b").offered_to("gamma").key.id), nullptr);
    EXPECT_EQ(ring.find(Token{}), nullptr);
}

TEST_F(KeyFiles, OtherFilesOfAFolderAreIgnored) {
    file("a.key", text_of(part_of(key_named("a"))));
    file("README", "hello", 0644);
    file("b.key~", "hello", 0644);
    file("old/c.key", "hello", 0644);
    file(".key", "hello", 0644);
    EXPECT_EQ(read_key_folder(folder()).keys(), 1U);
}

TEST_F(KeyFiles, AnEmptyFolderHasNoKeys) {
    EXPECT_EQ(read_key_folder(folder()).keys(), 0U);
}

TEST_F(KeyFiles, AFolderWithABadFileIsRefused) {
    const std::string other = file("a.key", text_of(key_named("a")));
    EXPECT_THAT(folder_refused(), HasSubstr(other + " is no host key: it is a user's key, which opens every host"));
    file("a.key", text_of(part_of(key_named("a"))), 0644);
    EXPECT_THAT(folder_refused(), HasSubstr("can be read by others"));
}

TEST_F(KeyFiles, BadFilesOfAFolderAreLeftOutIfSomebodyIsToldOfThem) {
    file("a.key", text_of(part_of(key_named("a"))));
    file("b.key", "");
    file("c.key", text_of(part_of(key_named("c"))), 0644);
    std::vector<std::string> bad;
    EXPECT_EQ(read_key_folder(folder(), [&bad](const std::string& why) { bad.push_back(why); }).keys(), 1U);
    EXPECT_THAT(bad, ::testing::ElementsAre(HasSubstr("b.key is no host key: it is empty"),
                                            HasSubstr("can be read by others")));
}

TEST_F(KeyFiles, AFolderInWhichOthersWriteIsRefused) {
    for (const mode_t mode : {0770U, 0702U, 01777U}) {
        ASSERT_EQ(::chmod(folder().c_str(), mode), 0);
        EXPECT_EQ(folder_refused(), "others may put keys into " + folder().string() +
                                        ": make it yours alone (chmod 700 " + folder().string() + ")");
    }
    ASSERT_EQ(::chmod(folder().c_str(), 0755), 0);
    EXPECT_EQ(folder_refused(), "accepted");
}

TEST_F(KeyFiles, AFileInPlaceOfAFolderIsRefused) {
    const std::string name = file("a.key", text_of(part_of(key_named("a"))));
    EXPECT_EQ(refused([&name] { return read_key_folder(name); }),
              name + " is no folder: --keys takes the folder that holds the files *.key");
}

TEST_F(KeyFiles, TheSameKeyTwiceIsRefused) {
    file("a.key", text_of(part_of(key_named("a"), {"alpha", "beta"})));
    file("b.key", text_of(part_of(key_named("a"), {"beta"})));
    EXPECT_THAT(folder_refused(),
                AllOf(HasSubstr("the same key of beta is in "), HasSubstr("leave it in one of them")));
    file("b.key", text_of(part_of(key_named("a"), {"gamma"})));
    EXPECT_EQ(folder_refused(), "accepted");
}

TEST_F(KeyFiles, AUsersKeyIsTheFirstOfOptionVariableAndTheUsualPlaces) {
    const std::string given = user_file("given");
    const std::string variable = user_file("variable");
    file("xdg/groma/key", text_of(key_named("of_xdg")));
    file("home/.config/groma/key", text_of(key_named("of_home")));
    const std::string xdg = (folder() / "xdg").string();
    const std::string home = (folder() / "home").string();
    const auto found = [](const std::string& option, const char* set, const char* config, const char* at_home) {
        const std::optional<UserKey> key = find_user_key(option, set, config, at_home);
        return key ? key->key.grant.name + (key->asked_for ? "!" : "") : "no key";
    };
    EXPECT_EQ(found(given, variable.c_str(), xdg.c_str(), home.c_str()), "given!");
    EXPECT_EQ(found("", variable.c_str(), xdg.c_str(), home.c_str()), "variable");
    EXPECT_EQ(found("", nullptr, xdg.c_str(), home.c_str()), "of_xdg");
    EXPECT_EQ(found("", "", xdg.c_str(), home.c_str()), "of_xdg");
    EXPECT_EQ(found("", nullptr, nullptr, home.c_str()), "of_home");
    EXPECT_EQ(found("", nullptr, "", home.c_str()), "of_home");
    EXPECT_EQ(found("none", variable.c_str(), xdg.c_str(), home.c_str()), "no key");
    EXPECT_EQ(found("", "none", xdg.c_str(), home.c_str()), "no key");
    EXPECT_EQ(found(given, "none", nullptr, nullptr), "given!");
    EXPECT_EQ(find_user_key(given, nullptr, nullptr, nullptr)->file, given);
    EXPECT_EQ(find_user_key("", variable.c_str(), nullptr, nullptr)->file, variable);
    EXPECT_EQ(find_user_key("", nullptr, xdg.c_str(), nullptr)->offered_to("beta")->file, xdg + "/groma/key");
}

TEST_F(KeyFiles, AUserNeedsNoKeyInTheUsualPlaces) {
    const std::string nowhere = (folder() / "nowhere").string();
    EXPECT_EQ(find_user_key("", nullptr, nullptr, nullptr), std::nullopt);
    EXPECT_EQ(find_user_key("", "", "", ""), std::nullopt);
    EXPECT_EQ(find_user_key("", nullptr, nowhere.c_str(), nullptr), std::nullopt);
    EXPECT_EQ(find_user_key("", nullptr, nullptr, nowhere.c_str()), std::nullopt);
    EXPECT_EQ(find_user_key("", nullptr, "relative", nullptr), std::nullopt);
}

TEST_F(KeyFiles, AUsersKeyThatIsNamedMustBeThereAndBePrivate) {
    const std::string absent = (folder() / "absent").string();
    EXPECT_THROW(static_cast<void>(find_user_key(absent, nullptr, nullptr, nullptr)), SystemError);
    EXPECT_THROW(static_cast<void>(find_user_key("", absent.c_str(), nullptr, nullptr)), UsageError);
    file("groma/key", text_of(key_named("lab")), 0644);
    EXPECT_THROW(static_cast<void>(find_user_key("", nullptr, folder().c_str(), nullptr)), UsageError);
}

TEST_F(KeyFiles, AKeyThatWasNotAskedForIsNotOfferedOnLoopback) {
    UserKey key{.key = key_named("lab")};
    const SocketAddress loopback = SocketAddress::from_literal("127.0.0.1", 9000);
    const SocketAddress elsewhere = SocketAddress::from_literal("10.0.0.2", 9000);
    EXPECT_EQ(key.offered_to("localhost", loopback), std::nullopt);
    EXPECT_EQ(key.offered_to("beta", elsewhere), key.key.offered_to("beta"));
    key.asked_for = true;
    EXPECT_EQ(key.offered_to("localhost", loopback), key.key.offered_to("localhost"));
}

}  // namespace
}  // namespace groma
