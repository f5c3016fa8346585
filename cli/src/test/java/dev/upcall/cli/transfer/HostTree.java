package dev.upcall.cli.transfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** Directories with everything that is odd, and what they look like. */
final class HostTree {
  private HostTree() {}

  /** Makes a tree from a seed. */
  static void make(Path root, long seed) throws IOException {
    Random random = new Random(seed);
    Files.createDirectories(root);
    Path odd = Files.createDirectory(root.resolve("odd names"));
    for (String name :
        new String[] {
          "with space",
          " leading and trailing ",
          "-rf",
          "--help",
          "new\nline",
          "tab\tbed",
          "back\\slash",
          "quote'\"quote",
          "ümläut",
          "u\u0308 not normalised",
          "\u4e2d\u6587",
          "emoji \uD83D\uDE00",
          "\uFF21 wide sorts before emoji",
          "*?[glob]",
          "%2e%2e",
          "...",
          "~",
          "a".repeat(255),
          "\u00e4".repeat(127),
        }) {
      write(odd.resolve(name), random, random.nextInt(3000));
    }
    Files.createDirectory(root.resolve("empty"));
    write(root.resolve("empty file"), random, 0);
    write(root.resolve("one block"), random, 4096);
    write(root.resolve("64k"), random, 64 << 10);
    write(root.resolve("64k and one"), random, (64 << 10) + 1);
    write(root.resolve("middle"), random, 700_001);
    Path deep = root;
    for (int depth = 0; depth < 30; depth++) {
      deep = Files.createDirectory(deep.resolve("d" + depth));
      write(deep.resolve("file"), random, random.nextInt(100));
    }
    Path many = Files.createDirectory(root.resolve("many"));
    for (int i = 0; i < 1500; i++) {
      write(many.resolve("file" + i), random, random.nextInt(200));
    }
    links(root);
    Files.setAttribute(root.resolve("middle"), "unix:mode", 0640);
    Files.setAttribute(root.resolve("one block"), "unix:mode", 0755);
    Files.setAttribute(root.resolve("empty"), "unix:mode", 01777);
    times(root, random);
  }

  private static void links(Path root) throws IOException {
    Path links = Files.createDirectory(root.resolve("links"));
    Files.createSymbolicLink(links.resolve("to file"), Path.of("../middle"));
    Files.createSymbolicLink(links.resolve("to directory"), Path.of("../many"));
    Files.createSymbolicLink(links.resolve("absolute"), Path.of("/etc/passwd"));
    Files.createSymbolicLink(links.resolve("dangling"), Path.of("nowhere"));
    Files.createSymbolicLink(links.resolve("loop"), Path.of("loop"));
    Files.createSymbolicLink(links.resolve("up"), Path.of("../.."));
    Files.createSymbolicLink(links.resolve("odd"), Path.of("../odd names/new\nline"));
  }

  private static void times(Path root, Random random) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
        if (!Files.isSymbolicLink(path)) {
          long nanos = random.nextLong(-1_000_000_000_000_000L, 1_800_000_000_000_000_000L);
          Files.setLastModifiedTime(path, FileTime.from(nanos, TimeUnit.NANOSECONDS));
        }
      }
    }
  }

  static void write(Path file, Random random, int size) throws IOException {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    Files.write(file, bytes);
  }

  /** One text for each path: type, mode, time, content. */
  static Map<String, String> describe(Path root) throws IOException {
    Map<String, String> seen = new TreeMap<>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path path : all.toList()) {
        seen.put(root.relativize(path).toString(), describeOne(path));
      }
    }
    return seen;
  }

  private static String describeOne(Path path) throws IOException {
    Map<String, Object> attributes =
        Files.readAttributes(path, "unix:mode,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
    String head =
        Integer.toOctalString((int) attributes.get("mode"))
            + " "
            + ((FileTime) attributes.get("lastModifiedTime")).to(TimeUnit.NANOSECONDS);
    if (Files.isSymbolicLink(path)) {
      return head + " -> " + Files.readSymbolicLink(path);
    }
    if (Files.isDirectory(path)) {
      return head;
    }
    CRC32C sum = new CRC32C();
    sum.update(Files.readAllBytes(path));
    return head + " " + Files.size(path) + " " + HexFormat.of().toHexDigits(sum.getValue());
  }
}
