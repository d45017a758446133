/* SPDX-License-Identifier: Apache-2.0
 *
 * plugin.c - a library whose constructor calls the program that loads it, while the loader holds its lock.
 */

/** Defined by the program. */
void plugin_constructed(void);

__attribute__((constructor)) static void construct(void)
{
    plugin_constructed();
}
