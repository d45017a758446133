/* SPDX-License-Identifier: Apache-2.0 */
/* The mistakes with pybind11. Each function makes one; with_pybind11.py calls it. */
#include "hz.h"

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <string_view>

namespace py = pybind11;

/* What the worker raises is thrown through the library, which is C. */
static int on_event_with(py::handle worker, int value)
{
    return worker.attr("on_value")(value).cast<int>();
}

static int on_event(int value, void *user)
{
    py::gil_scoped_acquire gil;
    return on_event_with(static_cast<PyObject *>(user), value);
}

static int on_event_without_gil(int value, void *user)
{
    return on_event_with(static_cast<PyObject *>(user), value);
}

static void keep(std::string_view data)
{
    hz_keep(reinterpret_cast<const uint8_t *>(data.data()), data.size()); /* a view, which owns nothing */
}

static void keep_buffer(py::buffer data)
{
    py::buffer_info info = data.request();
    hz_keep(static_cast<const uint8_t *>(info.ptr), info.size); /* and the buffer_info, which holds it, ends here */
}

static void set_callback(py::handle worker)
{
    hz_set_callback(on_event, worker.ptr()); /* a handle does not count */
}

static py::object factor_of_cleared(py::list workers, py::function more)
{
    py::handle worker = workers[0]; /* a py::object would count */
    workers.clear();
    py::object others = more();
    return worker.attr("factor");
}

static py::handle stored;

static void store(py::object object)
{
    stored = object.release();
}

static py::object load()
{
    return py::reinterpret_steal<py::object>(stored); /* reinterpret_borrow would take a reference */
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

static int fire_in_thread_without_gil(py::handle worker, int value)
{
    hz_set_callback(on_event_without_gil, worker.ptr());
    py::gil_scoped_release released;
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
    explicit Subscription(py::object worker) : listener(worker)
    {
        hz_set_callback(on_event, listener.ptr());
    }

  private:
    py::object listener;
};

static void fill_int32(py::buffer out)
{
    py::buffer_info info = out.request(true);
    hz_fill_int32(static_cast<int32_t *>(info.ptr), info.size * info.itemsize); /* bytes, where it counts elements */
}

static void fill(py::buffer out)
{
    py::buffer_info info = out.request(); /* request(true) would ask for a writable one */
    hz_fill(static_cast<uint8_t *>(info.ptr), info.size);
}

PYBIND11_MODULE(_hz_pybind11, m)
{
    m.def("scale", [](int value, int by) { return hz_scale(value, by); }); /* the first is a double */
    m.def("low", hz_low);
    m.def("text_length", hz_text_length);
    m.def("keep", keep);
    m.def("keep_buffer", keep_buffer);
    m.def("kept_sum", hz_kept_sum);
    m.def("set_callback", set_callback);
    m.def("fire", hz_fire);
    m.def("fire_in_thread", hz_fire_in_thread); /* without py::call_guard<py::gil_scoped_release>() */
    m.def("fire_in_thread_without_gil", fire_in_thread_without_gil);
    m.def("fire_at_exit", hz_fire_at_exit);
    m.def("factor_of_cleared", factor_of_cleared);
    m.def("store", store);
    m.def("load", load);

    py::class_<hz_record>(m, "Record").def_readonly("id", &hz_record::id).def_readonly("value", &hz_record::value);
    m.def("find", hz_find, py::return_value_policy::reference);
    m.def("lookup", lookup);

    py::class_<hz_variant>(m, "Variant")
        .def_readonly("kind", &hz_variant::kind)
        .def_property_readonly("whole", [](const hz_variant &self) { return self.as.whole; })
        .def_property_readonly("real", [](const hz_variant &self) { return self.as.real; });
    m.def("variant_get", [] {
        hz_variant variant;
        hz_variant_get(&variant);
        return variant;
    });

    py::class_<hz_label>(m, "Label").def_property_readonly("text", [](const hz_label &self) { return self.text; });
    m.def("label_get", [] {
        hz_label label;
        hz_label_get(&label);
        return label;
    });

    py::class_<Handle>(m, "Handle").def(py::init<int>()).def("value", &Handle::value).def("close", &Handle::close);
    py::class_<Subscription>(m, "Subscription").def(py::init<py::object>());

    m.def("sleep", hz_sleep); /* without py::call_guard<py::gil_scoped_release>() */
    m.def("worker_start", hz_worker_start);
    m.def("worker_add", hz_worker_add);
    m.def("parsed", parsed);
    m.def("fill", fill);
    m.def("fill_int32", fill_int32);
}
