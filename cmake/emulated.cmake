# cuzk_cuda_emulated: the CUDA back end compiled for the host, over test/emulated. A .cu file is C++
# there: a one-line .cc file includes each, as one source cannot have two languages.
file(GLOB kernels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/compute/cuda/*.cu)
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/compute/cuda/*.c
    ${PROJECT_SOURCE_DIR}/src/groth16/cuda/*.c ${PROJECT_SOURCE_DIR}/test/emulated/*.cc)
list(FILTER sources EXCLUDE REGEX "/test_[^/]*$")
foreach(kernel ${kernels})
    get_filename_component(name ${kernel} NAME_WE)
    set(wrapper ${CMAKE_CURRENT_BINARY_DIR}/emulated/${name}.cc)
    file(CONFIGURE OUTPUT ${wrapper} CONTENT "#include \"${kernel}\"\n")
    list(APPEND sources ${wrapper})
endforeach()

add_library(cuzk_cuda_emulated STATIC ${sources})
target_include_directories(cuzk_cuda_emulated PUBLIC ${PROJECT_SOURCE_DIR}/test/emulated
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(cuzk_cuda_emulated PUBLIC cuzk_groth16)
add_dependencies(cuzk_cuda_emulated check_layers)

add_executable(test_emulation emulated/test_emulation.cc)
set_target_properties(test_emulation PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test)
target_link_libraries(test_emulation PRIVATE cuzk_cuda_emulated ${layers} cuzk_test_support)
add_test(NAME test_emulation COMMAND test_emulation)
set_tests_properties(test_emulation PROPERTIES LABELS cuda)

# The engine once more, with the emulated device: its objects come before the other engine's library.
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/engine/*.c
    ${PROJECT_SOURCE_DIR}/src/engine/cuda/*.c)
add_library(cuzk_engine_emulated OBJECT ${sources})
target_compile_definitions(cuzk_engine_emulated PRIVATE CUZK_HAVE_CUDA=1)
target_link_libraries(cuzk_engine_emulated PUBLIC cuzk_cuda_emulated cuzk_api cuzk_circuit
    cuzk_iden3 PkgConfig::SQLITE)
add_dependencies(cuzk_engine_emulated check_layers)

add_executable(test_engine_faults emulated/test_engine_faults.c
    $<TARGET_OBJECTS:cuzk_engine_emulated>)
set_target_properties(test_engine_faults PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test)
target_link_libraries(test_engine_faults PRIVATE cuzk_cuda_emulated ${layers} cuzk_test_support)
add_test(NAME test_engine_faults COMMAND test_engine_faults)
set_tests_properties(test_engine_faults PROPERTIES LABELS cuda)

# Differential tests of the kernels: one program per file on the emulation, and, where nvcc is, all of
# them in one on a card: build/test/cuda_diff.
file(GLOB sources CONFIGURE_DEPENDS cuda/test_cuda_*.c)
foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source} cuda/cuda_support.c)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test)
    if(name MATCHES "^test_cuda_engine")
        target_sources(${name} PRIVATE $<TARGET_OBJECTS:cuzk_engine_emulated>)
    endif()
    target_link_libraries(${name} PRIVATE cuzk_cuda_emulated ${layers} cuzk_test_support)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS cuda)
endforeach()

if(CUZK_HAVE_CUDA)
    add_executable(cuda_diff EXCLUDE_FROM_ALL ${sources} cuda/cuda_diff.c cuda/cuda_support.c)
    set_target_properties(cuda_diff PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test)
    target_compile_definitions(cuda_diff PRIVATE CUZK_CUDA_DEVICE=1)
    target_link_libraries(cuda_diff PRIVATE cuzk_groth16_cuda cuzk_cuda_field_ops ${layers}
        cuzk_test_support)

    # Each bench/cuda/*.c is a program that measures one thing on a card; support/ is shared.
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/cuda/*.c)
    foreach(source ${sources})
        get_filename_component(name ${source} NAME_WE)
        add_executable(${name} EXCLUDE_FROM_ALL ${source} ${PROJECT_SOURCE_DIR}/bench/cuda/support/timing.c)
        target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/bench/cuda)
        set_target_properties(${name} PROPERTIES
            RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
        target_link_libraries(${name} PRIVATE cuzk_groth16_cuda cuzk_cuda_field_ops ${layers})
    endforeach()
endif()
