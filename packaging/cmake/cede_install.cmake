# SPDX-License-Identifier: MIT
include(CMakePackageConfigHelpers)
# Written when it is installed, so that `cmake --install --prefix ELSEWHERE` names the place it really went to.
install(CODE "
  set(CEDE_PC_LIBDIR \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}\")
  set(CEDE_PC_INCLUDEDIR \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\")
  set(PROJECT_DESCRIPTION \"${PROJECT_DESCRIPTION}\")
  set(PROJECT_VERSION \"${PROJECT_VERSION}\")
  configure_file(\"${PROJECT_SOURCE_DIR}/packaging/cmake/cede.pc.in\" \"${PROJECT_BINARY_DIR}/cede.pc\" @ONLY)")
configure_package_config_file(${PROJECT_SOURCE_DIR}/packaging/cmake/cedeConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cedeConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cede)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cedeConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS cede EXPORT cede LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS cede_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/cede DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT cede NAMESPACE cede:: FILE cedeTargets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cede)
install(FILES ${PROJECT_BINARY_DIR}/cedeConfig.cmake ${PROJECT_BINARY_DIR}/cedeConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cede)
install(FILES ${PROJECT_BINARY_DIR}/cede.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${PROJECT_SOURCE_DIR}/packaging/completion/cede.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME cede)
install(FILES ${PROJECT_SOURCE_DIR}/packaging/completion/cede.zsh
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _cede)
