// Certificates that a test makes for itself.
#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "common/os/temporary_folder.hpp"

namespace groma {

inline std::string text_of_bio(BIO* bio) {
    char* data = nullptr;
    const long size = BIO_get_mem_data(bio, &data);
    std::string text(data, static_cast<std::size_t>(size));
    BIO_free(bio);
    return text;
}

/// Files of a certificate, signed by itself, and its key, in a folder of their own.
class MadeCertificate {
public:
    /// `names`: "DNS:beta,IP:127.0.0.1"; empty: none. It is valid between these days from now.
    explicit MadeCertificate(const std::string& names = "DNS:beta.example,IP:127.0.0.1", int from = -1, int to = 30) {
        EVP_PKEY* const key = EVP_EC_gen("P-256");
        X509* const made = X509_new();
        X509_set_version(made, 2);
        ASN1_INTEGER_set(X509_get_serialNumber(made), 1);
        X509_gmtime_adj(X509_getm_notBefore(made), from * 86400L);
        X509_gmtime_adj(X509_getm_notAfter(made), to * 86400L);
        X509_set_pubkey(made, key);
        X509_NAME_add_entry_by_txt(X509_get_subject_name(made), "CN", MBSTRING_ASC,
                                   reinterpret_cast<const unsigned char*>("groma test"), -1, -1, 0);
        X509_set_issuer_name(made, X509_get_subject_name(made));
        if (not names.empty()) {
            X509_EXTENSION* const extension =
                X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str());
            X509_add_ext(made, extension, -1);
            X509_EXTENSION_free(extension);
        }
        X509_sign(made, key, EVP_sha256());
        BIO* bio = BIO_new(BIO_s_mem());
        PEM_write_bio_X509(bio, made);
        (void)write("cert.pem", text_of_bio(bio));
        bio = BIO_new(BIO_s_mem());
        PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
        (void)write("key.pem", text_of_bio(bio));
        X509_free(made);
        EVP_PKEY_free(key);
    }

    [[nodiscard]] std::string certificate() const { return folder_.file("cert.pem"); }
    [[nodiscard]] std::string key() const { return folder_.file("key.pem"); }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

    /// Another file beside them.
    [[nodiscard]] std::string write(const std::string& name, const std::string& text, mode_t mode = 0600) {
        std::ofstream(folder_.file(name)) << text;
        ::chmod(folder_.file(name).c_str(), mode);
        return folder_.file(name);
    }

private:
    TemporaryFolder folder_;
};

}  // namespace groma
