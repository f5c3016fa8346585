package dev.upcall.bench.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Programs that are not ours, all of them Debian packages. */
public final class Programs {
  private Programs() {}

  /** The path of a program, or null. System folders count even when they are not on the path. */
  public static @Nullable String find(String name) {
    return find(name, List.of());
  }

  private static @Nullable String find(String name, List<String> moreFolders) {
    List<String> folders = new ArrayList<>();
    String path = System.getenv("PATH");
    if (path != null) {
      folders.addAll(List.of(path.split(":", -1)));
    }
    folders.addAll(List.of("/usr/bin", "/usr/sbin", "/bin", "/sbin"));
    folders.addAll(moreFolders);
    return folders.stream()
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .filter(Files::isRegularFile)
        .findFirst()
        .map(Path::toString)
        .orElse(null);
  }

  /**
   * The path of a program that must be there.
   *
   * @throws MissingPeerException when it is not
   */
  public static String require(String name, String debianPackage) {
    return require(name, debianPackage, List.of());
  }

  /** The same of a program that may be in other folders, which are looked into last. */
  public static String require(String name, String debianPackage, List<String> moreFolders) {
    String path = hidden(name) ? null : find(name, moreFolders);
    if (path == null) {
      throw new MissingPeerException(
          name + " is not installed; on Debian: apt-get install " + debianPackage);
    }
    return path;
  }

  /** Whether the user wants to do without: {@code -Dupcall.bench.without=nginx,fio}. */
  private static boolean hidden(String name) {
    return List.of(System.getProperty("upcall.bench.without", "").split(",", -1)).contains(name);
  }
}
