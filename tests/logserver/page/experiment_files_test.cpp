#include "logserver/page/experiment_files.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

using ::testing::Contains;
using ::testing::Pair;

std::string text_of_pieces(const HttpResponse& response) {
    std::string text = response.body;
    for (auto piece = response.more(); piece; piece = response.more()) {
        text += *piece;
    }
    return text;
}

HttpResponse asked_file(const ExperimentFiles& files, const std::string& path) {
    return files.answer({.method = "GET", .target = path, .host = "localhost"});
}

TEST(ExperimentFiles, AreReadInPiecesUnderANumberAndNoName) {
    const TemporaryFolder folder;
    const std::string content(1'000'000, 'x');
    std::ofstream(folder.file("send.glog")) << content;
    ExperimentFiles files;
    const BoardFile log = files.add(3, folder.file("send.glog"), "se\"nd\r\n.glog");
    EXPECT_EQ(log.path, "/files/3/1");
    EXPECT_EQ(log.bytes, content.size());
    EXPECT_FALSE(log.picture);
    const HttpResponse response = asked_file(files, log.path + "?x");
    EXPECT_EQ(response.status, 200U);
    EXPECT_THAT(response.fields, Contains(Pair("Content-Disposition", "attachment; filename=\"se_nd__.glog\"")));
    EXPECT_EQ(text_of_pieces(response), content);
}

TEST(ExperimentFiles, OneThatIsBeingWrittenIsReadAsItIs) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("send.glog.part")) << "so far";
    ExperimentFiles files;
    EXPECT_EQ(text_of_pieces(asked_file(files, files.add(1, folder.file("send.glog"), "send.glog").path)), "so far");
}

TEST(ExperimentFiles, OthersAreNotThere) {
    const TemporaryFolder folder;
    ExperimentFiles files;
    static_cast<void>(files.add(1, folder.file("pruned.glog"), "pruned.glog"));
    for (const char* const path : {"/files/1/1", "/files/1/2", "/files/2/1", "/files/", "/files/1/../1/1",
                                   "/files/1/1/", "/files/1//1", "/files/../../etc/passwd"}) {
        EXPECT_EQ(asked_file(files, path).status, 404U) << path;
    }
}

TEST(ExperimentFiles, PicturesRunNothing) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("delay.svg")) << "<svg/>";
    ExperimentFiles files;
    const BoardFile picture = files.add(1, folder.file("delay.svg"), "delay.svg");
    EXPECT_TRUE(picture.picture);
    const HttpResponse response = asked_file(files, picture.path);
    EXPECT_EQ(response.content_type, "image/svg+xml");
    EXPECT_THAT(response.fields, Contains(Pair("Content-Security-Policy", testing::HasSubstr("sandbox"))));
}

}  // namespace
}  // namespace groma
