/* SPDX-License-Identifier: MIT */
/* Where a program begins whose C library has a _start without the mark of a branch target (see
 * cede_hardening.cmake). */
__asm__(
    ".pushsection .text\n"
    ".globl cede_marked_entry\n"
    ".hidden cede_marked_entry\n"
    ".type cede_marked_entry, @function\n"
    "cede_marked_entry:\n"
    "  endbr64\n"
    "  jmp _start\n"
    ".size cede_marked_entry, . - cede_marked_entry\n"
    ".popsection\n");

typedef int cede_not_an_empty_file;
