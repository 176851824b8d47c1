/* SPDX-License-Identifier: MIT */
#include <cede/cede.h>
#include <stdio.h>

int main(void) {
  cede_engine* engine = NULL;
  cede_error error;
  if (cede_engine_create(NULL, 0, NULL, 0, CEDE_VERSION, &engine, &error) != CEDE_OK) {
    printf("%s\n", error.text);
    return 1;
  }
  printf("%s\n", cede_version_text());
  cede_engine_destroy(engine);
  return cede_version() == CEDE_VERSION ? 0 : 1;
}
