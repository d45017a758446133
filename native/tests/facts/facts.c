/* SPDX-License-Identifier: Apache-2.0
 *
 * facts.c - prints facts about PKCS #11 as FACTS_HEADER defines them, one on each line: the value of each constant, the
 * size of each struct, the offset of each field, and whether each function has the expected type.
 */
#include <stddef.h>
#include <stdio.h>

#include "present.h" /* HAVE_…, generated for this header */
#include FACTS_HEADER

int main(void)
{
#define CONSTANT(name) printf(#name " = %#llx\n", (unsigned long long)(name));
#define STRUCT(name) printf("sizeof " #name " = %zu\n", sizeof(name));
#define FIELD(name, field) \
    printf(#name "." #field " at %zu, of %zu\n", offsetof(name, field), sizeof(((name *)NULL)->field));
#define FUNCTION(name, ...) \
    printf(#name " is as expected: %d\n", _Generic((CK_##name)NULL, CK_RV (*)(__VA_ARGS__): 1, default: 0));
#include "pkcs11_facts.h"
    return 0;
}
