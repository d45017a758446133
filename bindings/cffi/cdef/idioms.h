/* SPDX-License-Identifier: Apache-2.0
 *
 * The declarations of cside/idioms.h that the binding uses, for both modes, in the C that cffi can parse, by
 * group: the code of a group is in src/cside_cffi/_idioms_<group>.py.
 */

/* idioms_scalars */

void cs_noop(void);

int8_t cs_i8_add(int8_t a, int8_t b);
uint8_t cs_u8_add(uint8_t a, uint8_t b);
int16_t cs_i16_add(int16_t a, int16_t b);
uint16_t cs_u16_add(uint16_t a, uint16_t b);
int32_t cs_i32_add(int32_t a, int32_t b);
uint32_t cs_u32_add(uint32_t a, uint32_t b);
int64_t cs_i64_add(int64_t a, int64_t b);
uint64_t cs_u64_add(uint64_t a, uint64_t b);
float cs_f32_add(float a, float b);
double cs_f64_add(double a, double b);
bool cs_bool_not(bool value);
double cs_mixed_sum(int32_t a, uint64_t b, double c, bool d, int8_t e, float f);
int64_t cs_varargs_sum(uint32_t count, ...);

/* idioms_buffers */

uint32_t cs_bytes_sum(const uint8_t *data, size_t data_nbytes);
void cs_buffer_fill(uint8_t *out, size_t out_nbytes, uint8_t value);

cs_status cs_blob_get(uint32_t index, uint8_t *out, size_t *inout_nbytes);
cs_status cs_runs_expand(const uint8_t *data, size_t data_nbytes, uint8_t *out, size_t out_capacity,
                         size_t *out_nbytes);

/* idioms_text */

size_t cs_string_length(const char *text);
const char *cs_string_borrow(uint32_t index);
cs_status cs_string_repeat(const char *text, uint32_t times, char **out_text);
void cs_string_free(char *text);
void cs_label_get(uint32_t index, char out[32]);
uint32_t cs_label_hash(const char label[32]);

/* idioms_structs */

typedef struct cs_point {
    double x, y;
} cs_point;

cs_point cs_point_add(cs_point a, cs_point b);

typedef struct cs_box {
    cs_point min, max;
    uint32_t tag;
} cs_box;

void cs_box_fill(cs_box *box, uint32_t tag);
double cs_box_area(const cs_box *box);

typedef struct cs_config {
    size_t struct_nbytes;
    uint32_t retries;
    double timeout_s;
    uint32_t flags;
} cs_config;

typedef struct cs_config_view {
    uint32_t version;
    uint32_t retries;
    double timeout_s;
    uint32_t flags;
} cs_config_view;

cs_status cs_config_read(const cs_config *config, cs_config_view *out_view);

/* idioms_arrays */

typedef struct cs_attr {
    uint32_t type;
    void *value;
    size_t value_nbytes;
} cs_attr;

uint64_t cs_attrs_digest(const cs_attr *attrs, size_t count);
cs_status cs_attrs_get(cs_attr *attrs, size_t count);

/* idioms_callbacks */

typedef struct cs_ops {
    uint32_t version;
    int32_t (*add)(int32_t a, int32_t b);
    int32_t (*multiply)(int32_t a, int32_t b);
} cs_ops;

const cs_ops *cs_ops_get(void);

typedef int64_t (*cs_each_fn)(void *user, int32_t value);

cs_status cs_each_call(uint32_t times, cs_each_fn fn, void *user, int64_t *out_sum);
cs_status cs_thread_call(uint32_t times, cs_each_fn fn, void *user, int64_t *out_sum);

/* idioms_handles */

typedef uint64_t cs_counter;

cs_status cs_counter_open(int64_t start, cs_counter *out_counter);
cs_status cs_counter_add(cs_counter counter, int64_t n, int64_t *out_total);
cs_status cs_counter_each(cs_counter counter, uint32_t times, cs_each_fn fn, void *user, int64_t *out_sum);
cs_status cs_counter_close(cs_counter counter);

/* idioms_errors */

cs_status cs_status_return(cs_status status);
int32_t cs_errno_fail(int32_t error);

/* idioms_values */

typedef enum cs_color { CS_COLOR_INVALID = -1, CS_COLOR_RED = 0, CS_COLOR_GREEN = 1, CS_COLOR_BLUE = 2 } cs_color;

cs_color cs_color_next(cs_color color);
cs_status cs_flags_toggle(uint32_t flags, uint32_t mask, uint32_t *out_flags);

enum { CS_VARIANT_INTEGER = 1, CS_VARIANT_REAL = 2, CS_VARIANT_BYTES = 3 };

typedef struct cs_variant {
    uint32_t kind;
    union {
        int64_t integer;
        double real;
        uint8_t bytes[8];
    } as;
} cs_variant;

cs_status cs_variant_double(cs_variant *variant);

const char *cs_const_text(const char *name);

/* idioms_threads */

uint64_t cs_spin(uint64_t iterations);

cs_status cs_state_init(int64_t seed);
cs_status cs_state_next(int64_t *out_value);
cs_status cs_state_fini(void);
void cs_tls_set(int64_t value);
int64_t cs_tls_get(void);
