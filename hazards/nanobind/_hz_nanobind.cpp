/* SPDX-License-Identifier: Apache-2.0 */
/* The mistakes with nanobind. Each function makes one; with_nanobind.py calls it. */
#include "hz.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <string>

namespace nb = nanobind;

using bytes_in = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using bytes_out = nb::ndarray<uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using int32s_out = nb::ndarray<int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/* What the worker raises is thrown through the library, which is C. */
static int on_event_with(nb::handle worker, int value)
{
    return nb::cast<int>(worker.attr("on_value")(value));
}

static int on_event(int value, void *user)
{
    nb::gil_scoped_acquire gil;
    return on_event_with(static_cast<PyObject *>(user), value);
}

static int on_event_without_gil(int value, void *user)
{
    return on_event_with(static_cast<PyObject *>(user), value);
}

static void keep(nb::bytes data)
{
    hz_keep(static_cast<const uint8_t *>(data.data()), data.size()); /* and the reference ends here */
}

static void keep_array(bytes_in data)
{
    hz_keep(data.data(), data.size()); /* and the array, which holds the buffer, ends here */
}

static void set_callback(nb::handle worker)
{
    hz_set_callback(on_event, worker.ptr()); /* a handle does not count */
}

static nb::object factor_of_cleared(nb::list workers, nb::callable more)
{
    nb::handle worker = workers[0]; /* an nb::object would count */
    workers.clear();
    nb::object others = more();
    return worker.attr("factor");
}

static nb::handle stored;

static void store(nb::object object)
{
    stored = object.release();
}

static nb::object load()
{
    return nb::steal(stored); /* nb::borrow() would take a reference */
}

struct close_handle {
    void operator()(hz_handle *handle) const
    {
        hz_close(handle);
    }
};

class Handle
{
  public:
    explicit Handle(int value) : pointer(hz_open(value))
    {
    }

    int value() const
    {
        return hz_value(pointer.get());
    }

    void close()
    {
        hz_close(pointer.get()); /* and the unique_ptr still owns it; reset() would close it */
    }

  private:
    std::unique_ptr<hz_handle, close_handle> pointer;
};

static int lookup(int id)
{
    int value;
    hz_lookup(id, &value);
    return value;
}

static int fire_in_thread_without_gil(nb::handle worker, int value)
{
    hz_set_callback(on_event_without_gil, worker.ptr());
    nb::gil_scoped_release released;
    return hz_fire_in_thread(value);
}

static int parsed(const std::string &text)
{
    uint8_t *buffer = hz_buffer_new(1 << 16);
    int number = std::stoi(text); /* throws, and nobody frees the buffer */
    hz_buffer_free(buffer);
    return number;
}

/* It owns an object, and its class has neither tp_traverse nor tp_clear. */
class Subscription
{
  public:
    explicit Subscription(nb::object worker) : listener(worker)
    {
        hz_set_callback(on_event, listener.ptr());
    }

  private:
    nb::object listener;
};

static void fill_int32(int32s_out out)
{
    hz_fill_int32(out.data(), out.nbytes()); /* bytes, where the library counts elements */
}

static void fill(bytes_out out)
{
    hz_fill(out.data(), out.size());
}

NB_MODULE(_hz_nanobind, m)
{
    m.def("scale", [](int value, int by) { return hz_scale(value, by); }); /* the first is a double */
    m.def("low", hz_low);
    m.def("text_length", hz_text_length);
    m.def("keep", keep);
    m.def("keep_array", keep_array);
    m.def("kept_sum", hz_kept_sum);
    m.def("set_callback", set_callback);
    m.def("fire", hz_fire);
    m.def("fire_in_thread", hz_fire_in_thread); /* without nb::call_guard<nb::gil_scoped_release>() */
    m.def("fire_in_thread_without_gil", fire_in_thread_without_gil);
    m.def("fire_at_exit", hz_fire_at_exit);
    m.def("factor_of_cleared", factor_of_cleared);
    m.def("store", store);
    m.def("load", load);

    nb::class_<hz_record>(m, "Record").def_ro("id", &hz_record::id).def_ro("value", &hz_record::value);
    m.def("find", hz_find, nb::rv_policy::reference);
    m.def("lookup", lookup);

    nb::class_<hz_variant>(m, "Variant")
        .def_ro("kind", &hz_variant::kind)
        .def_prop_ro("whole", [](const hz_variant &self) { return self.as.whole; })
        .def_prop_ro("real", [](const hz_variant &self) { return self.as.real; });
    m.def("variant_get", [] {
        hz_variant variant;
        hz_variant_get(&variant);
        return variant;
    });

    nb::class_<hz_label>(m, "Label").def_prop_ro("text", [](const hz_label &self) { return self.text; });
    m.def("label_get", [] {
        hz_label label;
        hz_label_get(&label);
        return label;
    });

    nb::class_<Handle>(m, "Handle").def(nb::init<int>()).def("value", &Handle::value).def("close", &Handle::close);
    nb::class_<Subscription>(m, "Subscription").def(nb::init<nb::object>());

    m.def("sleep", hz_sleep); /* without nb::call_guard<nb::gil_scoped_release>() */
    m.def("worker_start", hz_worker_start);
    m.def("worker_add", hz_worker_add);
    m.def("parsed", parsed);
    m.def("fill", fill);
    m.def("fill_int32", fill_int32);
}
