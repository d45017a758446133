/* SPDX-License-Identifier: Apache-2.0
 *
 * The struct by pointer.
 */
%rename(Box) cs_box;
%ignore cs_box::min; /* a wrapper of it would outlive the box that it points into */
%ignore cs_box::max;
%ignore cs_box::tag;

%may_lack_memory(cs_box::cs_box)

%extend cs_box {
    cs_box(void)
    {
        return calloc(1, sizeof(cs_box));
    }
}

%inline %{
static PyObject *box_unpack(const cs_box *box)
{
    return cside_tuple(5, PyFloat_FromDouble(box->min.x), PyFloat_FromDouble(box->min.y),
                       PyFloat_FromDouble(box->max.x), PyFloat_FromDouble(box->max.y),
                       PyLong_FromUnsignedLong(box->tag));
}
%}
