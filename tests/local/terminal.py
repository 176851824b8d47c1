# SPDX-License-Identifier: MIT
"""A terminal as far as the live view uses one: what it shows after some bytes."""
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

SEQUENCE = re.compile(r"\033\[(\??)([0-9;]*)([A-Za-z])")


class Terminal:
    """Rows of (character, style); a style is the SGR text that is in force."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cells = [[(" ", "")] * columns for _ in range(rows)]
        self.row = self.column = 0
        self.style = ""
        self.alternate = False
        self.cursor = True
        self.faults = []

    def feed(self, text):
        at = 0
        while at < len(text):
            match = SEQUENCE.match(text, at)
            if match:
                self.obey(*match.groups())
                at = match.end()
                continue
            self.put(text[at])
            at += 1

    def obey(self, private, numbers, letter):
        values = [int(n) if n else 0 for n in numbers.split(";")]
        if private:
            self.alternate = letter == "h" if values == [1049] else self.alternate
            self.cursor = letter == "h" if values == [25] else self.cursor
        elif letter == "H":
            self.row, self.column = values[0] - 1, values[1] - 1
            if not 0 <= self.row < self.rows:
                self.faults.append(f"row {values[0]} of {self.rows}")
        elif letter == "J":
            self.cells = [[(" ", "")] * self.columns for _ in range(self.rows)]
        elif letter == "K":
            if 0 <= self.row < self.rows:
                self.cells[self.row] = [(" ", "")] * self.columns
        elif letter == "m":
            self.style = "" if values == [0] else numbers
        else:
            self.faults.append(f"unknown sequence {letter}")

    def put(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.row += 1
        elif self.alternate:
            if self.column >= self.columns:
                self.faults.append(f"row {self.row + 1} is wider than {self.columns}")
                return
            if 0 <= self.row < self.rows:
                self.cells[self.row][self.column] = (character, self.style)
            self.column += 1

    def lines(self):
        return ["".join(c for c, _ in row).rstrip() for row in self.cells]


class Watched:
    """A command on a terminal of its own."""

    def __init__(self, command, columns=100, rows=40, **options):
        self.ours, theirs = pty.openpty()
        self.terminal = Terminal(columns, rows)
        self.resize(columns, rows, theirs)
        self.raw = ""
        self.process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
                                        **options)
        os.close(theirs)

    def resize(self, columns, rows, descriptor=None):
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self.ours if descriptor is None else descriptor, termios.TIOCSWINSZ, size)

    def read(self, seconds):
        """Feeds what comes for so long; False when the command has closed its terminal."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.ours], [], [], left)[0]:
                return True
            try:
                piece = os.read(self.ours, 65536)
            except OSError:
                return False
            if not piece:
                return False
            text = piece.decode(errors="replace")
            self.raw += text
            self.terminal.feed(text)
        return True

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.ours)
