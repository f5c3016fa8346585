package dev.upcall.bench.harness;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a reader of figures must know of where they were measured. */
public final class Machine {
  private static final long MIB = 1L << 20;

  private Machine() {}

  /** Names and values, in a fixed order. */
  public static Map<String, String> describe(Lab lab) throws InterruptedException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("processor", valueOf("/proc/cpuinfo", "model name"));
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("memory", memory());
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("file system", fileSystem(lab.scratch()));
    facts.put(
        "jdk", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
    facts.put("flags", String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
    facts.put("commit", commit(lab));
    facts.put("pinning", lab.cores().describe());
    facts.put(
        "samples",
        "%d of %.1f s each%s"
            .formatted(
                lab.settings().repetitions(),
                lab.settings().runSeconds(),
                lab.settings().quick() ? ", quick: these figures mean nothing" : ""));
    return facts;
  }

  private static String valueOf(String file, String key) {
    try {
      return Files.readAllLines(Path.of(file)).stream()
          .filter(line -> line.startsWith(key))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException unreadable) {
      return "unknown (" + unreadable.getMessage() + ")";
    }
  }

  private static String memory() {
    String kib = valueOf("/proc/meminfo", "MemTotal").replace("kB", "").strip();
    return kib.chars().allMatch(Character::isDigit)
        ? Long.parseLong(kib) * 1024 / MIB + " MiB"
        : kib;
  }

  private static String fileSystem(Path path) {
    try {
      return Files.getFileStore(path).type() + " on " + Files.getFileStore(path).name();
    } catch (IOException unknown) {
      return "unknown (" + unknown.getMessage() + ")";
    }
  }

  /** The commit of the sources beside the launcher, with a mark when they were changed. */
  private static String commit(Lab lab) throws InterruptedException {
    String git = Programs.find("git");
    Path code = code();
    if (git == null || code == null) {
      return "unknown";
    }
    try {
      List<String> command = List.of(git, "-C", code.toString(), "describe", "--always", "--dirty");
      return lab.run("git", command, 10).strip();
    } catch (IOException noRepository) {
      return "unknown";
    }
  }

  private static @org.jspecify.annotations.Nullable Path code() {
    String first = System.getProperty("java.class.path").split(":", -1)[0];
    return Path.of(first).toAbsolutePath().getParent();
  }
}
