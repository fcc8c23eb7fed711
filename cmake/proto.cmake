# cuzk_proto(name PROTOS file...) makes the static library <name> of the C that protoc-c writes for the
# files (named from proto/), and of a FileDescriptorSet of all of them as the bytes cuzk_proto_set.
# Users include <cuzk/v1/proving.pb-c.h>.
find_program(PROTOC protoc REQUIRED)
find_program(PROTOC_C protoc-c REQUIRED)

function(cuzk_proto name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PROTOS")
    set(root ${PROJECT_SOURCE_DIR}/proto)
    set(out ${CMAKE_BINARY_DIR}/proto)
    file(MAKE_DIRECTORY ${out})
    list(TRANSFORM arg_PROTOS PREPEND ${root}/ OUTPUT_VARIABLE inputs)
    set(sources)
    set(headers)
    foreach(proto ${arg_PROTOS})
        string(REGEX REPLACE "\\.proto$" ".pb-c" stem ${proto})
        list(APPEND sources ${out}/${stem}.c)
        list(APPEND headers ${out}/${stem}.h)
    endforeach()
    set(set_file ${out}/proto_set.bin)
    set(set_source ${out}/proto_set.c)
    add_custom_command(OUTPUT ${sources} ${headers} ${set_source}
        COMMAND ${PROTOC_C} --proto_path=${root} --c_out=${out} ${inputs}
        COMMAND ${PROTOC} --proto_path=${root} --descriptor_set_out=${set_file} ${inputs}
        COMMAND ${CMAKE_COMMAND} -DINPUT=${set_file} -DOUTPUT=${set_source} -DNAME=cuzk_proto_set
            -P ${PROJECT_SOURCE_DIR}/cmake/bytes_to_c.cmake
        DEPENDS ${inputs} ${PROJECT_SOURCE_DIR}/cmake/bytes_to_c.cmake
        COMMENT "Generating the messages of ${name}")
    add_library(${name} STATIC ${sources} ${set_source})
    # Headers first: whoever links this library includes them.
    add_custom_target(${name}_headers DEPENDS ${headers})
    add_dependencies(${name} ${name}_headers)
    target_compile_options(${name} PRIVATE -w)
    target_include_directories(${name} SYSTEM PUBLIC ${out})
    target_link_libraries(${name} PUBLIC PkgConfig::PROTOBUF_C)
endfunction()
