package dev.upcall.specweb.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** What a reader of figures must know of the machine and the software. Unknown things say so. */
public final class Disclosure {
  private static final String UNKNOWN = "unknown";
  private static final String LAUNCHER = "-Dupcall.launcher=";
  private static final long GIT_SECONDS = 5;
  private static final double KIB_PER_GIB = 1 << 20;

  private Disclosure() {}

  static Map<String, String> hardware() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("processor", processor());
    facts.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("memory", memory());
    return facts;
  }

  static Map<String, String> software() throws InterruptedException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("operatingSystem", operatingSystem());
    facts.put("jvm", jvm());
    facts.put("jvmFlags", jvmFlags());
    facts.put("commit", commit());
    return facts;
  }

  /** The model of the processor. */
  public static String processor() {
    return valueOf("/proc/cpuinfo", "model name");
  }

  /** How much memory the machine has. */
  public static String memory() {
    String kib = valueOf("/proc/meminfo", "MemTotal").replace("kB", "").strip();
    return kib.matches("\\d+") ? "%.1f GiB".formatted(Long.parseLong(kib) / KIB_PER_GIB) : UNKNOWN;
  }

  /** Its name and version. */
  public static String operatingSystem() {
    return System.getProperty("os.name") + " " + System.getProperty("os.version");
  }

  /** Its name and version. */
  public static String jvm() {
    return System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");
  }

  /** What this JVM was told when it was started, but for where the program lies. */
  public static String jvmFlags() {
    return withoutLauncher(ManagementFactory.getRuntimeMXBean().getInputArguments());
  }

  /** A report is for others, to whom somebody's folders say nothing. */
  static String withoutLauncher(List<String> flags) {
    return flags.stream()
        .filter(flag -> !flag.startsWith(LAUNCHER))
        .collect(Collectors.joining(" "));
  }

  private static String valueOf(String file, String key) {
    try {
      return Files.readAllLines(Path.of(file)).stream()
          .filter(line -> line.startsWith(key))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(UNKNOWN);
    } catch (IOException unreadable) {
      return UNKNOWN;
    }
  }

  /** The commit of the sources beside the code that runs, marked when they were changed. */
  public static String commit() throws InterruptedException {
    Path code = Path.of(System.getProperty("java.class.path").split(":", -1)[0]).toAbsolutePath();
    if (code.getParent() == null) {
      return UNKNOWN;
    }
    List<String> command =
        List.of("git", "-C", code.getParent().toString(), "describe", "--always", "--dirty");
    try {
      Process git =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      if (!git.waitFor(GIT_SECONDS, TimeUnit.SECONDS) || git.exitValue() != 0) {
        git.destroyForcibly();
        return UNKNOWN;
      }
      return new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException noGit) {
      return UNKNOWN;
    }
  }
}
