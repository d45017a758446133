/* SPDX-License-Identifier: Apache-2.0
 *
 * codec.error, and the text that it is raised with.
 */
%{
static PyObject *cside_codec_error;

/* The text is that of the zlib module: "Error -3 while decompressing data: incorrect header check". */
static void cside_raise_codec(cs_status status, const char *doing, const char *message)
{
    char text[320];

    cs_codec_error_text(status, doing, message, text, sizeof text);
    PyErr_SetString(cside_codec_error, text);
}
%}

%init %{
cside_codec_error = PyErr_NewExceptionWithDoc("cside_swig.codec.error", CSIDE_DOC_error, NULL, NULL);
if (PyModule_AddObjectRef(m, "error", cside_codec_error) < 0)
    return -1;
%}
