/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a constant whose text is not its value, in some locale or from some thread.
 */
#include <locale.h>

#include "check.h"
#include "cside/codec.h"
#include "cside/idioms.h"

int main(void)
{
    setlocale(LC_ALL, "de_DE.UTF-8"); /* a comma for the decimal point, where that locale is installed */
    CHECK_TEXT(cs_const_text("CS_CONST_FLOAT"), "2.5");
    CHECK_TEXT(cs_const_text("CS_CONST_INT"), "42");
    CHECK_TEXT(cs_const_text("CS_CONST_NEGATIVE"), "-7");
    CHECK_TEXT(cs_const_text("CS_CONST_HEX"), "18446744073709551615");
    CHECK_TEXT(cs_const_text("CS_CONST_CAST"), "4294967295");
    CHECK_TEXT(cs_const_text("CS_CONST_SHIFT"), "2147483648");
    CHECK_TEXT(cs_const_text("CS_CONST_EXPR"), "2147483651");
    CHECK_TEXT(cs_const_text("CS_CONST_CHAR"), "99");
    CHECK_TEXT(cs_const_text("CS_CONST_STRING"), "cside \xC3\xA9");
    CHECK_TEXT(cs_const_text("CS_COLOR_INVALID"), "-1");
    CHECK_TEXT(cs_const_text("CS_FLAG_ALL"), "7");
    CHECK_EQ(strtol(cs_const_text("CS_CONFIG_V1_NBYTES"), NULL, 10), CS_CONFIG_V1_NBYTES);
    CHECK_EQ(strtol(cs_const_text("CS_CONFIG_NBYTES"), NULL, 10), sizeof(cs_config));
    CHECK_EQ(strtol(cs_const_text("CS_OUT_FIRST_NBYTES"), NULL, 10), CS_OUT_FIRST_NBYTES);
    CHECK(cs_const_text("CS_EACH_STOP") == cs_const_text("CS_EACH_STOP"));
    CHECK(cs_const_text("CONST_INT") == NULL);
    CHECK(cs_const_text("") == NULL);
    return 0;
}
