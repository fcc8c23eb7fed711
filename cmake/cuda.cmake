# The CUDA back end: CUZK_CUDA says whether it is built; where it is not, the program says so.
#
# CUZK_CUDA_ARCHITECTURES: machine code for the cards that are in use (A100, 30xx, 40xx/L40, H100/H200,
# B200, 50xx), and PTX of the newest for those to come. Fewer make a shorter build.
set(CUZK_CUDA AUTO CACHE STRING "Build the CUDA back end: ON, OFF, or AUTO (if nvcc is there)")
set(CUZK_CUDA_ARCHITECTURES "80-real;86-real;89-real;90-real;100-real;120"
    CACHE STRING "Cards that the CUDA back end is compiled for, as CMAKE_CUDA_ARCHITECTURES")

if(CUZK_CUDA STREQUAL "AUTO")
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        set(CUZK_HAVE_CUDA 1)
    else()
        set(CUZK_HAVE_CUDA 0)
    endif()
elseif(CUZK_CUDA)
    set(CUZK_HAVE_CUDA 1)
else()
    set(CUZK_HAVE_CUDA 0)
endif()

if(CUZK_HAVE_CUDA)
    set(CMAKE_CUDA_ARCHITECTURES ${CUZK_CUDA_ARCHITECTURES})
    set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
    set(CMAKE_CUDA_STANDARD 17)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(CMAKE_CUDA_EXTENSIONS OFF)
    set(CMAKE_CUDA_FLAGS_RELEASE "-O3")
    set(CMAKE_CUDA_FLAGS_DEBUG "-O2")
    enable_language(CUDA)
endif()

# The library cuzk_cuda of src/compute/cuda, and cuzk_cuda_field_ops of what only tests and benchmarks
# call there: its kernels take as long to compile as all others.
function(cuzk_cuda_library)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/compute/cuda/*.cu
        ${PROJECT_SOURCE_DIR}/src/compute/cuda/*.c)
    set(field_ops ${sources})
    list(FILTER field_ops INCLUDE REGEX "/field_ops[^/]*$")
    list(FILTER sources EXCLUDE REGEX "/field_ops[^/]*$")
    add_library(cuzk_cuda STATIC ${sources})
    add_library(cuzk_cuda_field_ops STATIC EXCLUDE_FROM_ALL ${field_ops})
    target_link_libraries(cuzk_cuda_field_ops PUBLIC cuzk_cuda)
    target_include_directories(cuzk_cuda PUBLIC ${PROJECT_SOURCE_DIR}/src
        ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(cuzk_cuda PUBLIC cuzk_compute)
    add_dependencies(cuzk_cuda check_layers)
endfunction()

# What a layer has for GPUs, src/<layer>/cuda/*.c, as the library cuzk_<layer>_cuda.
function(cuzk_cuda_part layer)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/cuda/*.c)
    add_library(cuzk_${layer}_cuda STATIC ${sources})
    target_link_libraries(cuzk_${layer}_cuda PUBLIC cuzk_${layer} cuzk_cuda)
    add_dependencies(cuzk_${layer}_cuda check_layers)
endfunction()
