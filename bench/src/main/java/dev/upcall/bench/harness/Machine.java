package dev.upcall.bench.harness;

import dev.upcall.specweb.report.Disclosure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a reader of figures must know of where they were measured. */
public final class Machine {
  private Machine() {}

  /** Names and values, in a fixed order. */
  public static Map<String, String> describe(Lab lab) throws InterruptedException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("processor", Disclosure.processor());
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("memory", Disclosure.memory());
    facts.put("free memory", lab.largePages().freeMemory());
    facts.put("large pages", lab.largePages().mode());
    facts.put("kernel", Disclosure.operatingSystem());
    facts.put("file system", fileSystem(lab.scratch()));
    facts.put("jdk", Disclosure.jvm());
    facts.put("flags", Disclosure.jvmFlags());
    facts.put("commit", Disclosure.commit());
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

  private static String fileSystem(Path path) {
    try {
      return Files.getFileStore(path).type() + " on " + Files.getFileStore(path).name();
    } catch (IOException unknown) {
      return "unknown (" + unknown.getMessage() + ")";
    }
  }
}
