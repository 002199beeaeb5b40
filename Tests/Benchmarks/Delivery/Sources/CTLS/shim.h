// OpenSSL's client side, 3.0 or newer. All that is used imports.
#pragma once

#include <openssl/err.h>
#include <openssl/ssl.h>
