package dev.upcall.bench.fsm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The sources of this program, where there are any.
 *
 * @param root the folder of all modules
 */
record SourceTree(Path root) {
  private static final Path PROBE = Path.of("storage-core", "src", "main", "java", "dev", "upcall");

  /** Looks in the folders above the running code, then above the current one. */
  static Optional<SourceTree> find() {
    String code = System.getProperty("java.class.path").split(":", -1)[0];
    return Stream.of(Path.of(code), Path.of(""))
        .map(Path::toAbsolutePath)
        .flatMap(start -> Stream.<Path>iterate(start, above -> above != null, Path::getParent))
        .filter(folder -> Files.isDirectory(folder.resolve(PROBE)))
        .findFirst()
        .map(SourceTree::new);
  }

  /**
   * A folder of packages.
   *
   * @param place module and folder, as in {@code storage-core:txn/log}
   */
  Path folder(String place) {
    String[] parts = place.split(":", 2);
    return root.resolve(parts[0])
        .resolve(Path.of("src", "main", "java", "dev", "upcall", parts[1]));
  }

  /** All sources of a module, tests left out. */
  List<Path> sources(String module) throws IOException {
    Path folder = root.resolve(module).resolve(Path.of("src", "main", "java"));
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("package-info.java"))
          .sorted()
          .toList();
    }
  }
}
