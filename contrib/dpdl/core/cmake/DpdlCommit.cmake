# Writes the commit of FOLDER to FILE. The file is empty if no Git repository tracks FOLDER's
# CMakeLists.txt.
execute_process(COMMAND git -C ${FOLDER} ls-files --error-unmatch CMakeLists.txt
  RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
set(commit)
if(NOT missing)
  execute_process(COMMAND git -C ${FOLDER} describe --always --dirty --tags
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(WRITE ${FILE} "${commit}")
