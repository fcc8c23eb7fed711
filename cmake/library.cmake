# libcuzk, static and shared, from the objects of all layers, and what its users need to find it.

get_property(compiled GLOBAL PROPERTY CUZK_COMPILED_LAYERS)
set(objects)
foreach(layer ${compiled})
    list(APPEND objects $<TARGET_OBJECTS:${layer}>)
endforeach()

foreach(kind STATIC SHARED)
    string(TOLOWER ${kind} suffix)
    add_library(cuzk_${suffix} ${kind} ${objects})
    set_target_properties(cuzk_${suffix} PROPERTIES OUTPUT_NAME cuzk LINKER_LANGUAGE C
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    target_include_directories(cuzk_${suffix} INTERFACE ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(cuzk_${suffix} PRIVATE OpenSSL::Crypto PkgConfig::JANSSON Threads::Threads m)
    install(TARGETS cuzk_${suffix} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()

configure_file(cmake/cuzk.pc.in ${CMAKE_BINARY_DIR}/cuzk.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/cuzk.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES include/cuzk.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
