# SPDX-License-Identifier: MIT
import os
import re
import resource
import subprocess
import unittest

from cede_run import CLUSTER, COMMAND, POLICY, TIMEOUT, CommandTest

# A command that gives up at once takes far less than reading a document up to its limit of 1 GiB would.
FEW_BYTES = 1 << 26
FEW_CPU_SECONDS = 5


def cpu_seconds():
    """Processor time of this process's ended children."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def bytes_written(process):
    with open(f"/proc/{process.pid}/io", encoding="ascii") as counters:
        return int(next(line for line in counters if line.startswith("wchar:")).split()[1])


class SourceTest(CommandTest):
    def test_standard_input(self):
        self.assertEqual(self.cede("check", "-", input=CLUSTER), (0, "standard input: ok, cede-cluster/1\n", ""))
        self.assertEqual(self.cede("check", "policy.json", "-", input=CLUSTER)[0], 0)

    def test_standard_input_twice(self):
        self.assert_one_error(self.cede("check", "-", "-", input=CLUSTER), "cede: standard input is named twice")

    def test_finding_in_standard_input(self):
        result = self.cede("check", "-", input=CLUSTER.replace('"gpu": 4', '"gpu": -4'))
        self.assert_one_error(result, "standard input:5:", ": nodes[0].resources.gpu: ")

    def test_standard_input_that_arrives_in_pieces(self):
        process = subprocess.Popen([COMMAND, "check", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for byte in range(0, len(CLUSTER), 40):
            process.stdin.write(CLUSTER.encode()[byte:byte + 40])
            process.stdin.flush()
        out, _ = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, out), (0, b"standard input: ok, cede-cluster/1\n"))

    def test_closed_standard_input(self):
        result = subprocess.run([COMMAND, "check", "-"], capture_output=True, timeout=TIMEOUT, check=False,
                                preexec_fn=lambda: os.close(0))
        self.assert_one_error((result.returncode, result.stdout.decode(), result.stderr.decode()),
                              "cede: cannot read standard input: Bad file descriptor")

    def test_directory(self):
        os.mkdir(self.path("folder"))
        self.assert_one_error(self.cede("check", "folder"), "cede: cannot read 'folder': Is a directory")

    def test_missing_file(self):
        self.assert_one_error(self.cede("check", "no.json"), "cede: cannot read 'no.json': No such file or directory")

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_unreadable_file(self):
        os.chmod(self.path("cluster.json"), 0)
        self.assert_one_error(self.cede("check", "cluster.json"), "cannot read 'cluster.json': Permission denied")

    def test_file_that_opens_and_cannot_be_read(self):
        self.assert_one_error(self.cede("check", "/proc/self/mem"),
                              "cede: cannot read '/proc/self/mem': Input/output error")

    def test_name_that_would_break_the_line(self):
        result = self.cede("check", "a\n\033[31mb")
        self.assert_one_error(result, "cannot read 'a\\u000a\\u001b[31mb': ")

    def test_file_beyond_the_limit(self):
        with open(self.path("huge.json"), "wb") as file:
            file.write(b"{")
            file.truncate((1 << 30) + 1)
        before = cpu_seconds()
        self.assert_one_error(self.cede("check", "huge.json"), "cede: huge.json: larger than 1 GiB")
        self.assertLess(cpu_seconds() - before, FEW_CPU_SECONDS)

    def test_not_a_document(self):
        for content, why in ((b"", "not a JSON document: empty"),
                             (b" \n\t\r", "not a JSON document: nothing but white space"),
                             (b"\n yes", "not a JSON document: starts with 'y'"),
                             (b"\x8f{}", "not a JSON document: starts with byte 0x8f"),
                             (b"\x00", "not a JSON document: starts with byte 0x00"),
                             (b"\xef\xbb{", "not a JSON document: starts with byte 0xef"),
                             (b"\xef\xbb\xbfno", "not a JSON document: starts with 'n' after a byte order mark"),
                             (b"\xef\xbb\xbf", "not a JSON document: nothing after a byte order mark"),
                             (b"[1]", "not a JSON object: starts with '['"),
                             (b" " * 70000 + b"{}",
                              "not a JSON document: nothing but white space in the first 64 KiB")):
            with self.subTest(content=content[:10]):
                self.assertEqual(self.cede("check", "-", input=content), (2, "", f"standard input: {why}\n"))
                self.write("file.json", content)
                self.assertEqual(self.cede("check", "file.json"), (2, "", f"file.json: {why}\n"))

    def test_byte_order_mark(self):
        result = self.cede("check", "-", input=b"\xef\xbb\xbf" + CLUSTER.encode())
        self.assert_one_error(result, "standard input:", "byte order mark")

    def test_a_short_mistake_is_the_library_s_to_tell(self):
        for content in ('{"format": "cede-cluster/1"} x', "{{", '{"a\n"'):
            with self.subTest(content=content):
                self.assert_one_error(self.cede("check", "-", input=content), "standard input:1:")


class EndlessTest(CommandTest):
    def end_of(self, producer, *arguments):
        """What the command says about an endless stream; fails if it does not end at once."""
        source = subprocess.Popen(producer, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            result = subprocess.run([COMMAND, *arguments], stdin=source.stdout, capture_output=True, timeout=TIMEOUT,
                                    cwd=self.folder, check=False)
            self.assertLess(bytes_written(source), FEW_BYTES)
        finally:
            source.stdout.close()
            source.kill()
            source.wait()
        return result.returncode, result.stdout.decode(), result.stderr.decode()

    def test_random_bytes(self):
        # A random stream that begins like a document must end as well.
        for begin in ("", "{", '{"', '{"format":'):
            with self.subTest(begin=begin):
                result = self.end_of(["sh", "-c", "printf %s \"$1\"; exec cat /dev/urandom", "sh", begin], "check", "-")
                self.assert_one_error(result, "standard input: not a JSON ")

    def test_endless_text(self):
        for line, why in (("y", "starts with 'y'"), ("", "nothing but white space in the first 64 KiB"),
                          ('{"a":1}', "'{' after the end of the object in line 2"),
                          ("{", "'{' where a key is due in line 2"),
                          ('{"a', "a line break inside a text in line 1")):
            with self.subTest(line=line):
                result = self.end_of(["yes", line], "check", "-")
                self.assertEqual(result, (2, "", f"standard input: not a JSON document: {why}\n"))

    def test_endless_nesting(self):
        result = self.end_of(["sh", "-c", "printf '{\"a\":'; exec yes '['"], "check", "-")
        self.assert_one_error(result, "standard input: not a JSON document: lists and objects nested without end")

    def test_endless_string(self):
        result = self.end_of(["sh", "-c", "printf '{\"'; exec tr '\\0' a </dev/zero"], "check", "-")
        self.assert_one_error(result, "standard input: not a JSON document: a text without end in line 1")

    def test_endless_device_by_name(self):
        self.assert_one_error(self.cede("check", "/dev/zero"), "/dev/zero: not a JSON document: starts with byte 0x00")

    def test_other_commands(self):
        for arguments in (("export", "--cluster", "-"), ("export", "--cluster", "cluster.json", "--policy", "-"),
                          ("policy", "--check", "-")):
            with self.subTest(arguments=arguments):
                self.assert_one_error(self.end_of(["yes"], *arguments), "standard input: not a JSON document: starts")

    def test_a_long_document_from_a_pipe(self):
        nodes = ",\n".join(f'{{"id": "x{i}", "group": "g", "labels": {{"a": "\\"{{[\\\\"}}}}' for i in range(20000))
        text = CLUSTER.replace('"nodes": [', '"nodes": [' + nodes + ",")
        self.assertEqual(self.cede("check", "-", input=text)[:2], (0, "standard input: ok, cede-cluster/1\n"))


class ProgressTest(CommandTest):
    def test_shown_on_a_terminal_wiped_and_not_shown_elsewhere(self):
        # The piped command waits at least as long as the one on the terminal.
        piped = subprocess.Popen([COMMAND, "check", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        reader, writer = os.pipe()
        os.write(writer, b"{")

        def end_once_shown(shown):
            nonlocal writer
            if writer is not None and b"\rreading standard input, " in shown:
                os.write(writer, b"}")
                os.close(writer)
                writer = None

        status, shown = self.cede_on_terminal("check", "-", stdin=reader, seen=end_once_shown)
        os.close(reader)
        self.assertIsNone(writer, shown)
        self.assertEqual(status, 2)
        self.assertIn("\r\033[K", shown)
        out, err = piped.communicate(POLICY.encode(), timeout=TIMEOUT)
        self.assertEqual((out, err), (b"standard input: ok, cede-policy/1\n", b""))

    def test_percentage_of_a_file(self):
        self.write("cluster.json", CLUSTER.replace('"now"', '"x-padding": "' + "x" * (8 << 20) + '", "now"'))
        gate = self.path("gate")
        os.mkfifo(gate)
        opened = False

        def go_on_once_shown(shown):
            nonlocal opened
            if not opened and re.search(rb"\rreading cluster.json, 2\d %, 2 MiB, ", shown):
                opened = True
                os.close(os.open(gate, os.O_WRONLY))

        _, shown = self.cede_on_terminal("check", "cluster.json", seen=go_on_once_shown,
                                         LD_PRELOAD=os.environ["CEDE_INTERCEPT"], CEDE_GATE=gate)
        self.assertTrue(opened, shown)

    def test_silent_when_quick(self):
        _, shown = self.cede_on_terminal("check", "cluster.json", TERM="dumb")
        self.assertNotIn("reading", shown)
        self.assertNotIn("\033", shown)


if __name__ == "__main__":
    unittest.main()
