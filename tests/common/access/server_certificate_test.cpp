#include "common/access/server_certificate.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "common/base/errors.hpp"
#include "tests/files.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/made_certificate.hpp"

namespace groma {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

ServerCertificate read_pair(const std::string& certificate, const std::string& key) {
    return read_server_certificate(certificate, key, kernel_clock().wall_now());
}

std::string pair_refused(const std::string& certificate, const std::string& key) {
    try {
        static_cast<void>(read_pair(certificate, key));
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(ServerCertificate, IsForTheHostsThatItNames) {
    const MadeCertificate made("DNS:Beta.example,DNS:*.lab.example,IP:10.0.0.2,IP:fd99::2");
    const ServerCertificate read = read_pair(made.certificate(), made.key());
    EXPECT_EQ(read.complaint, "");
    for (const char* const host :
         {"beta.example", "BETA.example", "a.lab.example", "10.0.0.2", "[fd99::2]", "[fd99:0:0::2]"}) {
        EXPECT_TRUE(read.names_host(host)) << host;
    }
    for (const char* const host : {"", ".", "example", "xbeta.example", "beta.example.", "a.b.lab.example",
                                   "lab.example", ".lab.example", "*", "10.0.0.3", "[fd99::3]", "groma test"}) {
        EXPECT_FALSE(read.names_host(host)) << host;
    }
}

TEST(ServerCertificate, OneThatClientsWillRefuseIsComplainedAbout) {
    const auto complaint = [](const MadeCertificate& made) {
        return read_pair(made.certificate(), made.key()).complaint;
    };
    EXPECT_EQ(complaint(MadeCertificate("DNS:beta", -9, -1)), "it has expired");
    EXPECT_EQ(complaint(MadeCertificate("DNS:beta", 1, 2)), "it is not valid yet");
    EXPECT_THAT(complaint(MadeCertificate("")), HasSubstr("names no host"));
}

TEST(ServerCertificate, AKeyOfAnotherIsRefused) {
    const MadeCertificate one;
    const MadeCertificate other;
    EXPECT_THAT(pair_refused(one.certificate(), other.key()),
                AllOf(HasSubstr(other.key()), HasSubstr("is not that of the certificate " + one.certificate())));
}

TEST(ServerCertificate, AKeyThatOthersMayReadIsRefused) {
    const MadeCertificate made;
    ASSERT_EQ(::chmod(made.key().c_str(), 0640), 0);
    EXPECT_THAT(pair_refused(made.certificate(), made.key()), HasSubstr("chmod 600 " + made.key()));
}

TEST(ServerCertificate, AKeyWithAPassphraseIsRefused) {
    MadeCertificate made;
    BIO* const in = BIO_new_file(made.key().c_str(), "r");
    EVP_PKEY* const key = PEM_read_bio_PrivateKey(in, nullptr, nullptr, nullptr);
    BIO_free(in);
    BIO* const out = BIO_new(BIO_s_mem());
    const std::string phrase = "secret";
    PEM_write_bio_PrivateKey(out, key, EVP_aes_128_cbc(), reinterpret_cast<const unsigned char*>(phrase.data()),
                             static_cast<int>(phrase.size()), nullptr, nullptr);
    EVP_PKEY_free(key);
    EXPECT_THAT(pair_refused(made.certificate(), made.write("locked.pem", text_of_bio(out))),
                HasSubstr("locked.pem has a passphrase"));
}

TEST(ServerCertificate, FilesThatAreNoneAreNamed) {
    MadeCertificate made;
    const std::string none = made.write("none.pem", "nothing");
    EXPECT_THAT(pair_refused(none, made.key()), HasSubstr("none.pem has no certificate"));
    EXPECT_THAT(pair_refused(made.key(), made.key()), HasSubstr("key.pem has no certificate"));
    EXPECT_THAT(pair_refused(made.certificate(), none), HasSubstr("none.pem has no private key"));
    EXPECT_THAT(pair_refused(made.folder() / "absent", made.key()), HasSubstr("cannot read the certificate"));
    EXPECT_THAT(pair_refused(made.folder(), made.key()), HasSubstr("cannot read the certificate"));
    EXPECT_THAT(pair_refused(made.certificate(), made.folder() / "absent"), HasSubstr("cannot read the key"));
    const std::string text = content_of(made.certificate());
    EXPECT_THAT(pair_refused(made.write("chain.pem", text + text.substr(0, text.size() / 2)), made.key()),
                HasSubstr("after the first is damaged"));
    EXPECT_EQ(pair_refused(made.write("chain.pem", text + text), made.key()), "accepted");
}

TEST(ServerCertificate, OneThatIsCutAnywhereIsRefused) {
    MadeCertificate made;
    const std::string text = content_of(made.certificate());
    for (std::size_t length = 0; length + 2 < text.size(); length += 7) {
        EXPECT_NE(pair_refused(made.write("cut.pem", text.substr(0, length)), made.key()), "accepted") << length;
    }
}

}  // namespace
}  // namespace groma
