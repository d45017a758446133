# SPDX-License-Identifier: Apache-2.0
#
# The engine of the codec: CSIDE_ENGINE_TARGET is the system's zlib, or a zlib that is fetched and compiled into libcside.

if(NOT CSIDE_FETCH_ZLIB)
    find_package(ZLIB)
endif()

if(ZLIB_FOUND)
    set(CSIDE_ENGINE_TARGET ZLIB::ZLIB)
    set(CSIDE_ENGINE_ORIGIN "system")
    return()
endif()

# The archive is downloaded and checked here, because an error of FetchContent would end the configuration before the
# message below can say what to install instead. FetchContent then unpacks the local file.
get_filename_component(zlib_name "${CSIDE_ZLIB_URL}" NAME)
set(zlib_archive "${CMAKE_CURRENT_BINARY_DIR}/${zlib_name}")
if(EXISTS "${zlib_archive}")
    file(SHA256 "${zlib_archive}" zlib_sha256)
endif()
if(NOT zlib_sha256 STREQUAL CSIDE_ZLIB_SHA256)
    message(STATUS "Fetching zlib from ${CSIDE_ZLIB_URL}")
    file(DOWNLOAD "${CSIDE_ZLIB_URL}" "${zlib_archive}" STATUS zlib_status TLS_VERIFY ON INACTIVITY_TIMEOUT 60)
    list(GET zlib_status 0 zlib_code)
    list(GET zlib_status 1 zlib_reason)
    if(zlib_code EQUAL 0)
        file(SHA256 "${zlib_archive}" zlib_sha256)
        if(NOT zlib_sha256 STREQUAL CSIDE_ZLIB_SHA256)
            set(zlib_code 1)
            set(zlib_reason "its SHA-256 is ${zlib_sha256}, not ${CSIDE_ZLIB_SHA256}")
        endif()
    endif()
    if(NOT zlib_code EQUAL 0)
        file(REMOVE "${zlib_archive}")
        message(FATAL_ERROR "zlib is not installed (or CSIDE_FETCH_ZLIB is on), and fetching it failed: ${zlib_reason}. "
            "Install it with apt-get install zlib1g-dev, dnf install zlib-devel or brew install zlib; "
            "or set CSIDE_ZLIB_URL and CSIDE_ZLIB_SHA256 to an archive of its source.")
    endif()
endif()

include(FetchContent)
if(POLICY CMP0135)
    cmake_policy(SET CMP0135 NEW)
endif()
# zlib's own CMakeLists.txt is not used, because it would install zlib and rename a header in the source folder.
FetchContent_Declare(zlib URL "${zlib_archive}" URL_HASH SHA256=${CSIDE_ZLIB_SHA256} SOURCE_SUBDIR unused)
FetchContent_MakeAvailable(zlib)

set(zlib_sources adler32.c compress.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c)
list(TRANSFORM zlib_sources PREPEND "${zlib_SOURCE_DIR}/")
add_library(cside_zlib STATIC ${zlib_sources})
target_include_directories(cside_zlib SYSTEM PUBLIC "${zlib_SOURCE_DIR}")
target_compile_definitions(cside_zlib PRIVATE HAVE_HIDDEN _LARGEFILE64_SOURCE=1 PUBLIC HAVE_UNISTD_H)
set_target_properties(cside_zlib PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
if(CSIDE_SANITIZE)
    target_compile_options(cside_zlib PRIVATE -fsanitize=${CSIDE_SANITIZE})
endif()
set(CSIDE_ENGINE_TARGET cside_zlib)
set(CSIDE_ENGINE_ORIGIN "fetched")
