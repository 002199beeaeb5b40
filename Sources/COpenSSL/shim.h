// What Sona uses of OpenSSL's libcrypto, 3.0 or newer.
#pragma once

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include <string.h>

enum { sona_random_stock = 1024 };

// Random bytes out of a stock that each thread keeps and draws from the generator a thousand at a time: a draw takes
// 0.7 us, however little it is for. What is handed out is wiped. 1 for success, as RAND_bytes has it.
static inline int sona_random_bytes(unsigned char *out, size_t count)
{
    static _Thread_local unsigned char stock[sona_random_stock];
    static _Thread_local size_t left = 0;
    if (count > sona_random_stock / 8)
        return count <= 1 << 20 ? RAND_bytes(out, (int)count) : 0;
    if (left < count) {
        left = 0;
        int drawn = RAND_bytes(stock, sona_random_stock);
        if (drawn != 1)
            return drawn;
        left = sona_random_stock;
    }
    left -= count;
    memcpy(out, stock + left, count);
    OPENSSL_cleanse(stock + left, count);
    return 1;
}
