# cuzk_layer(name [FOLDERS folder...] [LINKS target...]) makes the static library cuzk_<name> of all
# C files in the current folder and in FOLDERS below it. LINKS are what it stands on; they become
# part of its interface. Without C files it is an interface library.
function(cuzk_layer name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FOLDERS;LINKS")
    file(GLOB sources CONFIGURE_DEPENDS *.c)
    foreach(folder ${arg_FOLDERS})
        file(GLOB more CONFIGURE_DEPENDS ${folder}/*.c)
        list(APPEND sources ${more})
    endforeach()
    cuzk_set_level_flags(sources)

    if(sources)
        add_library(cuzk_${name} STATIC ${sources})
        target_include_directories(cuzk_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src
            ${PROJECT_SOURCE_DIR}/include)
        target_link_libraries(cuzk_${name} PUBLIC ${arg_LINKS})
        add_dependencies(cuzk_${name} check_layers)
        set_property(GLOBAL APPEND PROPERTY CUZK_COMPILED_LAYERS cuzk_${name})
    else()
        add_library(cuzk_${name} INTERFACE)
        target_include_directories(cuzk_${name} INTERFACE ${PROJECT_SOURCE_DIR}/src
            ${PROJECT_SOURCE_DIR}/include)
        target_link_libraries(cuzk_${name} INTERFACE ${arg_LINKS})
    endif()
    set_property(GLOBAL APPEND PROPERTY CUZK_LAYERS cuzk_${name})
endfunction()
