# SPDX-License-Identifier: Apache-2.0
#
# Risk: a library that needs more than one compiler line to build. The line is that of README.md.

get_filename_component(folder ${LIBRARY} DIRECTORY)
file(MAKE_DIRECTORY ${folder})
file(GLOB sources ${SOURCE_DIR}/src/*.c)
execute_process(COMMAND ${CC} -std=c11 -O2 -fPIC -shared -I${SOURCE_DIR}/include ${sources} -lz -lpthread -ldl -o ${LIBRARY}
    ERROR_VARIABLE errors COMMAND_ERROR_IS_FATAL ANY)
if(errors)
    message(FATAL_ERROR "${errors}")
endif()
include(${CMAKE_CURRENT_LIST_DIR}/exports.cmake)
