package dev.upcall.bench.fsm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Lines of code of what a request passes through, by duty and engine, and of all the rest.
 *
 * @param parts in the order of the list
 * @param restLines of the modules of the store, what is in no part
 */
record CodeSize(List<Part> parts, int restLines) {
  /** Of the state machines. */
  static final String FSM = "fsm";

  /** Of the threads. */
  static final String THREADS = "threads";

  private static final String LIST = "request-path.txt";
  private static final List<String> MODULES =
      List.of("storage-core", "fileman", "httpd", "threads", "cli");
  private static final int FIELDS = 4;

  /** Copies the list. */
  CodeSize {
    parts = List.copyOf(parts);
  }

  /**
   * Files of a folder that do a duty in an engine.
   *
   * @param lines of code
   */
  record Part(String duty, String engine, int lines) {}

  /** Counts. */
  static CodeSize of(SourceTree tree) throws IOException {
    List<Part> parts = new ArrayList<>();
    Set<Path> counted = new HashSet<>();
    for (String line : list().lines().toList()) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] fields = line.split("\\|", -1);
      if (fields.length != FIELDS) {
        throw new IOException("not a line of " + LIST + ": " + line);
      }
      Path folder = tree.folder(fields[2].strip());
      int lines = 0;
      for (String name : fields[3].strip().split(" +", -1)) {
        Path file = folder.resolve(name + ".java");
        counted.add(file);
        lines += CodeLines.of(file);
      }
      parts.add(new Part(fields[0].strip(), fields[1].strip(), lines));
    }
    int rest = 0;
    for (String module : MODULES) {
      for (Path file : tree.sources(module)) {
        rest += counted.contains(file) ? 0 : CodeLines.of(file);
      }
    }
    return new CodeSize(parts, rest);
  }

  private static String list() throws IOException {
    try (InputStream list =
        Objects.requireNonNull(CodeSize.class.getResourceAsStream(LIST), LIST)) {
      return new String(list.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** All lines of an engine. */
  int lines(String engine) {
    return parts.stream().filter(part -> part.engine().equals(engine)).mapToInt(Part::lines).sum();
  }

  /** The lines of an engine for a duty. */
  int lines(String duty, String engine) {
    return parts.stream()
        .filter(part -> part.duty().equals(duty) && part.engine().equals(engine))
        .mapToInt(Part::lines)
        .sum();
  }

  /** The duties, in the order of the list. */
  List<String> duties() {
    return parts.stream().map(Part::duty).distinct().toList();
  }
}
