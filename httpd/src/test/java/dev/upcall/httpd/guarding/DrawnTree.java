package dev.upcall.httpd.guarding;

import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.sim.SimWorld;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A tree of directories, files and links, and rules about it, drawn from a seed. */
final class DrawnTree {
  private static final List<String> NAMES = List.of("a", "b", "c", "index.html");
  private static final List<String> RIGHTS = List.of("list", "read", "write");

  private final SplittableRandom random;
  private final Map<String, String> entries = new LinkedHashMap<>();

  /** The draws continue with those that others make of the same source. */
  DrawnTree(SplittableRandom random) {
    this.random = random;
  }

  /** All that is there, as {@link NaiveGuard} has it. */
  Map<String, String> entries() {
    return entries;
  }

  /** Makes directories two deep, and files and links in them; a file has its path for content. */
  void plant(SimWorld machine, FileManager files) {
    List<String> folders = new ArrayList<>(List.of(""));
    for (int i = 0; i < 6; i++) {
      String path = folders.get(random.nextInt(folders.size())) + "/" + drawn(NAMES);
      if (!entries.containsKey(path)) {
        entries.put(path, "/");
        folders.add(path);
        machine.<FileInfo>get(port -> files.createDirectory(path, port));
      }
    }
    for (int i = 0; i < 14; i++) {
      String path = drawn(folders) + "/" + drawn(NAMES) + (random.nextInt(3) > 0 ? "x" : "");
      if (entries.containsKey(path)) {
        continue;
      }
      if (random.nextBoolean()) {
        entries.put(path, "");
        machine.<FileInfo>get(port -> files.writeString(path, path, port));
      } else {
        String target = target();
        entries.put(path, target);
        machine.<FileInfo>get(port -> files.symbolicLink(path, target, port));
      }
    }
  }

  private String target() {
    String known = drawn(new ArrayList<>(entries.keySet()));
    return switch (random.nextInt(5)) {
      case 0 -> "../" + drawn(NAMES);
      case 1 -> drawn(NAMES) + "/" + drawn(NAMES);
      case 2 -> known + "/../" + drawn(NAMES);
      default -> known;
    };
  }

  <T> T drawn(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** A path that is there, or is near one. */
  String path() {
    String known = drawn(new ArrayList<>(entries.keySet()));
    return switch (random.nextInt(6)) {
      case 0 -> "/" + drawn(NAMES);
      case 1, 2 -> known + "/" + drawn(NAMES);
      case 3 -> known + "/" + drawn(NAMES) + "/" + drawn(NAMES);
      default -> known;
    };
  }

  /** A directory, the root among them. */
  String directory() {
    List<String> all = new ArrayList<>(List.of("/"));
    entries.forEach(
        (path, kind) -> {
          if (kind.equals("/")) {
            all.add(path);
          }
        });
    return drawn(all);
  }

  /** Rules as {@link NaiveGuard} reads them. */
  List<String> rules() {
    List<String> rules = new ArrayList<>();
    if (random.nextInt(3) > 0) {
      for (String right : RIGHTS) {
        rules.add(right + " / " + who());
      }
    }
    for (int i = random.nextInt(8); i >= 0; i--) {
      rules.add(drawn(RIGHTS) + " " + path() + " " + who());
    }
    return rules;
  }

  private String who() {
    return drawn(
        List.of("anyone", "anyone", "known", "alice", "alice bob", "bob", "nobody", "known"));
  }
}
