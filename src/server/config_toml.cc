extern "C" {
#include "server/config_scan.h"
#include "server/config_toml.h"
}

#include <stdexcept>

namespace
{

[[noreturn]] void refuse(const char *condition)
{
    throw std::logic_error(condition);
}

} // namespace

/* toml++ 3.3 runs into its own assertions on some documents; they are errors of the document. */
#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? (void)0 : ::refuse(#condition))
#define TOML_EXCEPTIONS        1

#include <new>
#include <string>
#include <string_view>
#include <toml++/toml.h>

namespace
{

struct reader {
    cuzk_toml_fn *fn;
    void *context;
    cuzk_error *err;
};

cuzk_toml_value value_of(const std::string &key, const toml::node &node)
{
    cuzk_toml_value value{};
    value.key = key.c_str();
    value.line = static_cast<unsigned>(node.source().begin.line);
    value.column = static_cast<unsigned>(node.source().begin.column);
    value.kind = CUZK_TOML_OTHER;
    if (const auto *text = node.as_string()) {
        value.kind = CUZK_TOML_TEXT;
        value.text = text->get().c_str();
        /* A NUL inside would cut the text short without a word. */
        if (text->get().find('\0') != std::string::npos)
            value.kind = CUZK_TOML_OTHER;
    } else if (const auto *integer = node.as_integer()) {
        value.kind = CUZK_TOML_INTEGER;
        value.integer = integer->get();
    } else if (node.is_floating_point()) {
        value.kind = CUZK_TOML_REAL;
    } else if (const auto *flag = node.as_boolean()) {
        value.kind = CUZK_TOML_FLAG;
        value.flag = flag->get();
    } else if (node.is_array()) {
        value.kind = CUZK_TOML_LIST;
    } else if (node.is_table()) {
        value.kind = CUZK_TOML_TABLE;
    }
    return value;
}

cuzk_status visit_list(const reader &reader, const std::string &key, const toml::array &list)
{
    for (const toml::node &node : list) {
        cuzk_toml_value value = value_of(key, node);
        value.in_list = true;
        if (value.kind == CUZK_TOML_TABLE || value.kind == CUZK_TOML_LIST)
            value.kind = CUZK_TOML_OTHER;
        CUZK_TRY(reader.fn(reader.context, &value, reader.err));
    }
    return CUZK_OK;
}

cuzk_status visit_table(const reader &reader, const std::string &prefix, const toml::table &table)
{
    for (const auto &[name, node] : table) {
        const std::string key = prefix + std::string(name.str());
        const cuzk_toml_value value = value_of(key, node);
        CUZK_TRY(reader.fn(reader.context, &value, reader.err));
        if (const toml::table *inner = node.as_table())
            CUZK_TRY(visit_table(reader, key + ".", *inner));
        else if (const toml::array *list = node.as_array())
            CUZK_TRY(visit_list(reader, key, *list));
    }
    return CUZK_OK;
}

} // namespace

cuzk_status cuzk_toml_read(const char *source, const char *text, size_t size, cuzk_toml_fn *fn,
                           void *context, cuzk_error *err)
try {
    CUZK_TRY(cuzk_config_scan(source, text, size, err));
    return visit_table(reader{fn, context, err}, "", toml::parse(std::string_view(text, size)));
} catch (const toml::parse_error &error) {
    return cuzk_fail(err, CUZK_ERR_FORMAT, "%s:%u:%u: %s", source,
                     static_cast<unsigned>(error.source().begin.line),
                     static_cast<unsigned>(error.source().begin.column),
                     std::string(error.description()).c_str());
} catch (const std::logic_error &error) {
    return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: no TOML (%s)", source, error.what());
} catch (const std::bad_alloc &) {
    return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory to read it", source);
}
