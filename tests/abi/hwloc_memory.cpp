// SPDX-License-Identifier: MIT
// Memory that runs out while hwloc reads a topology. hwloc itself dies of that; a call of the library must
// not. Two ways of running out: this program's malloc() refuses beyond a budget, and the system refuses
// beyond a limit. Each try is a child process, so that a death is told and not shared. glibc only.
#include <cede/cede.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>

#include "documents.h"

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void __libc_free(void*);
}

namespace {

constexpr std::size_t kNoBudget = std::numeric_limits<std::size_t>::max();
std::size_t budget = kNoBudget;
std::size_t living = 0;  // bytes; counted while a call is tried
std::size_t most_living = 0;
std::size_t asked = 0;
bool counting = false;

bool refuses(std::size_t size) {
  if (!counting) return false;
  ++asked;
  return size > budget || living > budget - size;
}

void* taken(void* memory) {
  if (counting && memory) living += malloc_usable_size(memory);
  if (living > most_living) most_living = living;
  return memory;
}

void given(std::size_t size) {
  if (counting) living -= size < living ? size : living;  // what was there before is not counted
}

}  // namespace

extern "C" {
void* malloc(std::size_t size) {
  if (!refuses(size)) return taken(__libc_malloc(size));
  errno = ENOMEM;
  return nullptr;
}
void* calloc(std::size_t count, std::size_t size) {
  if (!refuses(count * size)) return taken(__libc_calloc(count, size));
  errno = ENOMEM;
  return nullptr;
}
void* realloc(void* memory, std::size_t size) {
  const std::size_t before = memory ? malloc_usable_size(memory) : 0;
  if (size > before && refuses(size - before)) {
    errno = ENOMEM;
    return nullptr;
  }
  void* const moved = __libc_realloc(memory, size);
  if (moved || size == 0) given(before);
  return taken(moved);
}
void free(void* memory) {
  if (memory) given(malloc_usable_size(memory));
  __libc_free(memory);
}
}

namespace {

// A machine of 8 packages with 8 CPUs each, 64 devices, and who is linked with whom.
std::string large_machine() {
  std::string xml = "<topology version=\"2.0\">\n";
  int gp = 1;
  const auto sets = [](const std::string& cpus) {
    return " cpuset=\"" + cpus + "\" complete_cpuset=\"" + cpus +
           "\" nodeset=\"0x1\" complete_nodeset=\"0x1\"";
  };
  const auto hexadecimal = [](std::uint64_t set) {
    char text[40];
    if (set >> 32 != 0) {
      std::snprintf(text, sizeof text, "0x%08x,0x%08x", static_cast<unsigned>(set >> 32),
                    static_cast<unsigned>(set));
    } else {
      std::snprintf(text, sizeof text, "0x%08x", static_cast<unsigned>(set));
    }
    return std::string(text);
  };
  const auto index = [&gp] { return " gp_index=\"" + std::to_string(gp++) + "\">\n"; };
  xml += "<object type=\"Machine\" os_index=\"0\"" + sets(hexadecimal(~std::uint64_t{0})) + index();
  xml += "<object type=\"NUMANode\" os_index=\"0\"" + sets(hexadecimal(~std::uint64_t{0})) + index() +
         "</object>\n";
  for (unsigned package = 0; package < 8; ++package) {
    const std::uint64_t eight = std::uint64_t{0xff} << package * 8;
    xml += "<object type=\"Package\" os_index=\"" + std::to_string(package) + "\"" +
           sets(hexadecimal(eight)) + index();
    for (unsigned cpu = package * 8; cpu < package * 8 + 8; ++cpu) {
      const std::string own = hexadecimal(std::uint64_t{1} << cpu);
      xml += "<object type=\"PU\" os_index=\"" + std::to_string(cpu) + "\"" + sets(own) + index() +
             "</object>\n";
    }
    xml += "</object>\n";
  }
  xml += "<object type=\"Bridge\" bridge_type=\"0-1\" bridge_pci=\"0000:[00-ff]\"" + index();
  std::string devices;
  for (int i = 0; i < 64; ++i) {
    char bus[16];
    std::snprintf(bus, sizeof bus, "0000:%02x:00.0", i + 1);
    xml += "<object type=\"PCIDev\" pci_busid=\"" + std::string(bus) +
           "\" pci_type=\"0302 [10de:2330] [0000:0000] 01\"" + index();
    devices += std::to_string(gp) + ' ';
    xml += "<object type=\"OSDev\" name=\"nvml" + std::to_string(i) + "\" osdev_type=\"1\" subtype=\"NVML\"" +
           index() + "</object>\n</object>\n";
  }
  std::string links;
  for (int i = 0; i < 64 * 64; ++i) links += i % 65 == 0 ? "1000000 " : "25781 ";
  return xml +
         "</object>\n</object>\n<distances2 type=\"OSDev\" nbobjs=\"64\" kind=\"9\" name=\"NVLinkBandwidth\" "
         "indexing=\"gp\">\n" +
         "<indexes length=\"" + std::to_string(devices.size()) + "\">" + devices +
         "</indexes>\n<u64values length=\"" + std::to_string(links.size()) + "\">" + links +
         "</u64values>\n</distances2>\n</topology>\n";
}

int32_t read_text(const std::string& text) {
  cede_topology* topology = nullptr;
  const int32_t status =
      cede_topology_create(text.data(), text.size(), CEDE_TOPOLOGY_HWLOC_XML, "t", &topology, nullptr);
  cede_topology_destroy(topology);
  return status;
}

// The same as a topology of an engine, which must be what it was where this fails.
int32_t import_text(const std::string& text) {
  static cede_engine* engine = nullptr;
  static uint32_t name = 0;
  const bool was_counting = counting;
  counting = false;
  const char* const alone = "threads=1";
  if (!engine && (cede_engine_create(nullptr, 0, &alone, 1, CEDE_VERSION, &engine, nullptr) < 0 ||
                  cede_engine_name(engine, "t", 1, &name, nullptr) < 0))
    return CEDE_E_INTERNAL;
  const uint64_t revision = cede_engine_revision(engine);
  counting = was_counting;
  const int32_t status = cede_engine_import_topology(engine, name, text.data(), text.size(), nullptr);
  counting = false;
  return status < 0 && cede_engine_revision(engine) != revision ? CEDE_E_INTERNAL : status;
}

using Call = int32_t (*)(const std::string&);

// What one call needs at most.
std::size_t need_of(Call call, const std::string& text) {
  living = most_living = 0;
  counting = true;
  const int32_t status = call(text);
  counting = false;
  return status == CEDE_OK ? most_living : 0;
}

// The status of the call in a child process that gets `bytes` more than it has; where it died, the signal.
struct End {
  int32_t status = 0;
  int by_signal = 0;
};

template <class Limit>
End try_in_child(Call call, const std::string& text, Limit limit) {
  int line[2];
  End end;
  if (pipe(line) != 0) return {CEDE_E_INTERNAL, 0};
  const pid_t child = fork();
  if (child == 0) {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    limit();
    const int32_t status = call(text);
    counting = false;
    _exit(write(line[1], &status, sizeof status) == sizeof status ? 0 : 1);
  }
  close(line[1]);
  if (child < 0 || read(line[0], &end.status, sizeof end.status) != sizeof end.status)
    end.status = CEDE_E_INTERNAL;
  close(line[0]);
  int how = 0;
  if (child > 0 && waitpid(child, &how, 0) == child && WIFSIGNALED(how)) end.by_signal = WTERMSIG(how);
  return end;
}

std::size_t pages_mapped() {
  std::size_t pages = 0;
  if (FILE* const file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%zu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages;
}

int failures = 0;

// From nothing to more than enough; both ends must be seen.
template <class MakeLimit>
void try_all(const char* name, Call call, const std::string& text, std::size_t enough, MakeLimit make_limit) {
  constexpr std::size_t kSteps = 150;
  std::size_t refused = 0;
  std::size_t done = 0;
  for (std::size_t i = 0; i <= kSteps && failures < 10; ++i) {
    const std::size_t bytes = enough / kSteps * i;
    const End end = try_in_child(call, text, make_limit(bytes));
    if (end.by_signal == 0 && end.status == CEDE_E_NOMEM) {
      ++refused;
    } else if (end.by_signal == 0 && end.status == CEDE_OK) {
      ++done;
    } else {
      ++failures;
      std::fprintf(stderr, "%s with %zu bytes: signal %d, %s\n", name, bytes, end.by_signal,
                   cede_status_name(end.status));
    }
  }
  std::printf("%-52s %zu times refused, %zu times done\n", name, refused, done);
  if (refused == 0 || done == 0) {
    ++failures;
    std::fprintf(stderr, "%s: memory never ran out, or always\n", name);
  }
}

auto within_budget(std::size_t bytes) {
  return [bytes] {
    budget = bytes;
    living = 0;
    counting = true;
  };
}

auto within_address_space(std::size_t bytes) {
  return [bytes] {
    const std::size_t mapped = pages_mapped() * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const rlimit most{mapped + bytes, mapped + bytes};
    setrlimit(RLIMIT_AS, &most);
  };
}

}  // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IONBF, 0);  // nothing is left over that a child could write again
  const std::string small = hwloc_xml_text;
  const std::string large = large_machine();
  const struct {
    const char* name;
    Call call;
    const std::string& text;
  } tries[] = {{"cede_topology_create, a small machine", read_text, small},
               {"cede_topology_create, a large machine", read_text, large},
               {"cede_engine_import_topology, a large machine", import_text, large}};
  for (const auto& each : tries) {
    need_of(each.call, each.text);  // what is made once
    asked = 0;
    const std::size_t need = need_of(each.call, each.text);
    if (need < each.text.size() || asked < 100) {
      std::fprintf(stderr, "%s: fails, or hwloc does not allocate through this program's malloc\n",
                   each.name);
      return 1;
    }
    try_all((std::string(each.name) + ", a budget").c_str(), each.call, each.text, need + need / 2,
            within_budget);
    try_all((std::string(each.name) + ", a limit").c_str(), each.call, each.text, need * 2,
            within_address_space);
  }
  return failures == 0 ? 0 : 1;
}
