package dev.upcall.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.store.Durability;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.ProviderMismatchException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Paths are what the JDK's own are on Linux: every operation on every pair of a corpus. */
class PathAlgebraTest {
  private static final List<String> CORPUS =
      List.of(
          "",
          "/",
          ".",
          "..",
          "a",
          "/a",
          "a/b",
          "/a/b",
          "a/b/c",
          "/a/b/c",
          "a/",
          "//a//b//",
          "/a/.",
          "a/./b",
          "../a",
          "a/..",
          "/..",
          "/../a",
          "a/../b",
          "../../x",
          "a/b/../..",
          "/a/../../b",
          "./a",
          "a/.b",
          ".hidden",
          "a..b",
          "b",
          "b/c",
          "c",
          "ä/é",
          "/a b/c!d",
          "a/b/",
          "///",
          "x/../../y",
          "/a/b/c/d",
          "\uD83D\uDE00",
          "z\uFFFD");

  private static final FileSystem HOST = FileSystems.getDefault();

  @TempDir Path folder;
  private Upcall store;
  private FileSystem ours;

  @BeforeEach
  void open() {
    store =
        Upcall.create(folder.resolve("p.upcall"), UpcallConfig.DEFAULT.withMemoryBytes(16L << 20));
    ours = store.fileSystem();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static Object outcome(Function<FileSystem, Object> call, FileSystem system) {
    try {
      Object result = call.apply(system);
      return result instanceof Path path ? "path " + path : String.valueOf(result);
    } catch (RuntimeException failed) {
      return failed.getClass().getName();
    }
  }

  private void same(String what, Function<FileSystem, Object> call) {
    assertEquals(outcome(call, HOST), outcome(call, ours), what);
  }

  private void unary(String name, Function<Path, Object> operation) {
    for (String text : CORPUS) {
      same(name + " of \"" + text + '"', system -> operation.apply(system.getPath(text)));
    }
  }

  private void binary(String name, BiFunction<Path, Path, Object> operation) {
    for (String left : CORPUS) {
      for (String right : CORPUS) {
        same(
            name + " of \"" + left + "\" and \"" + right + '"',
            system -> operation.apply(system.getPath(left), system.getPath(right)));
      }
    }
  }

  @Test
  void onePathAlone() {
    unary("text", Path::toString);
    unary("absolute", Path::isAbsolute);
    unary("root", path -> String.valueOf(path.getRoot()));
    unary("parent", path -> String.valueOf(path.getParent()));
    unary("file name", path -> String.valueOf(path.getFileName()));
    unary("count", Path::getNameCount);
    unary("normal", Path::normalize);
    unary(
        "names",
        path -> {
          List<String> names = new ArrayList<>();
          path.forEach(name -> names.add(name.toString()));
          return names;
        });
    for (int from = -1; from < 4; from++) {
      int begin = from;
      unary("name " + from, path -> path.getName(begin));
      for (int to = -1; to < 5; to++) {
        int end = to;
        unary("subpath " + from + " " + to, path -> path.subpath(begin, end));
      }
    }
  }

  @Test
  void twoPaths() {
    binary("resolve", Path::resolve);
    binary("resolve sibling", Path::resolveSibling);
    binary("relativize", Path::relativize);
    binary("starts with", Path::startsWith);
    binary("ends with", Path::endsWith);
    binary("order", (left, right) -> Integer.signum(left.compareTo(right)));
    binary("equal", Path::equals);
    binary(
        "equal hashes",
        (left, right) -> !left.equals(right) || left.hashCode() == right.hashCode());
    binary(
        "joined", (left, right) -> left.getFileSystem().getPath(left.toString(), right.toString()));
  }

  @Test
  void whatIsRelativeIsBelowTheRoot() {
    assertEquals("/a/b", ours.getPath("a/b").toAbsolutePath().toString());
    assertEquals("/", ours.getPath("").toAbsolutePath().toString());
    assertEquals(List.of(ours.getPath("/")), List.copyOf(roots()));
    assertEquals("/", ours.getSeparator());
  }

  private List<Path> roots() {
    List<Path> roots = new ArrayList<>();
    ours.getRootDirectories().forEach(roots::add);
    return roots;
  }

  @Test
  void matchersAreThoseOfTheHost() {
    List<String> patterns =
        List.of(
            "glob:*",
            "glob:**",
            "glob:*.{java,class}",
            "glob:/a/*",
            "glob:a?b",
            "glob:[a-c]/**",
            "glob:{",
            "regex:a.*",
            "regex:(",
            "GLOB:**/c",
            "other:x",
            "nothing",
            ":",
            "glob:");
    for (String pattern : patterns) {
      for (String text : CORPUS) {
        same(
            pattern + " on \"" + text + '"',
            system -> {
              PathMatcher matcher = system.getPathMatcher(pattern);
              return matcher.matches(system.getPath(text));
            });
      }
    }
  }

  @Test
  void pathsComeBackFromTheirUris() {
    for (String text : CORPUS) {
      Path path = ours.getPath(text);
      URI uri = path.toUri();
      assertEquals("upcall", uri.getScheme());
      assertEquals(path.toAbsolutePath(), Path.of(uri), uri.toString());
    }
    Path marked = ours.getPath("/odd!/?#% +&");
    assertEquals(marked, Path.of(marked.toUri()));
    assertTrue(ours.getPath("/a").toUri().toString().endsWith("/p.upcall!/a"));
    for (String bad :
        List.of("upcall:x", "upcall://host/x!/a", "upcall:///x!/a#f", "upcall:///x!/a?other=1")) {
      assertThrows(IllegalArgumentException.class, () -> Path.of(URI.create(bad)), bad);
    }
  }

  /** Pieces of which names are made: each is spelt in a URI in some way of its own. */
  private static final List<String> PIECES =
      List.of(
          "a",
          "Z",
          "0",
          "e\u0301",
          "\u00e9",
          "%",
          "%25",
          "%C3%A9",
          "?",
          "#",
          "!",
          "!/",
          "/",
          " ",
          "+",
          "&",
          ";",
          "=",
          ":",
          "@",
          "~",
          "\\",
          "\"",
          "<",
          "\u0001",
          "\n",
          "\u007f",
          "\u0085",
          "\u200b",
          "\u202e",
          "\ufeff",
          "\ufffd",
          "\uac00",
          "\u1100\u1161",
          "\ud83d\ude00",
          "\udbff\udffd",
          "..",
          ".",
          "snapshot=");

  @Test
  void toUri_ofAnyName_leadsBackToThePath() {
    Random random = new Random(47);
    for (int i = 0; i < 3_000; i++) {
      StringBuilder text = new StringBuilder();
      int count = 1 + random.nextInt(8);
      for (int piece = 0; piece < count; piece++) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      Path path = ours.getPath(text.toString()).toAbsolutePath();
      URI uri = path.toUri();
      assertEquals(path, Path.of(uri), uri.toString());
      assertTrue(uri.toString().chars().allMatch(each -> each > ' ' && each < 127), uri::toString);
      assertEquals(uri, URI.create(uri.toASCIIString()));
    }
  }

  @Test
  void toUri_ofDecomposedName_isNotThatOfTheComposedOne() throws IOException {
    Path composed = Files.writeString(ours.getPath("/\u00e9"), "composed");
    Path decomposed = Files.writeString(ours.getPath("/e\u0301"), "decomposed");
    assertEquals("composed", Files.readString(Path.of(composed.toUri())));
    Files.delete(Path.of(decomposed.toUri()));
    assertEquals(true, Files.exists(composed));
    assertEquals(false, Files.exists(decomposed));
    assertEquals(
        ours.getPath("/\u00fc"), Path.of(URI.create(ours.getPath("/").toUri() + "\u00fc")));
  }

  @Test
  void compareTo_ofEqualPathsInTwoFileSystems_isNotZero() throws IOException {
    try (FileSystem other = store.fileSystem(Durability.SYNC)) {
      Path here = ours.getPath("/a");
      Path there = other.getPath("/a");
      assertTrue(here.compareTo(there) != 0);
      assertEquals(-here.compareTo(there), there.compareTo(here));
      assertEquals(2, new TreeSet<>(List.of(here, there)).size());
      assertEquals(0, here.compareTo(ours.getPath("/a")));
      assertTrue(here.compareTo(other.getPath("/b")) < 0);
      assertTrue(there.compareTo(ours.getPath("/b")) < 0);
    }
  }

  @Test
  void pathOf_uriWithBytesThatAreNoText_isRefused() {
    String root = ours.getPath("/").toUri().toString();
    for (String bad : List.of("%FF", "%C3", "%ED%A0%80", "%00", "%C0%AF")) {
      assertThrows(IllegalArgumentException.class, () -> Path.of(URI.create(root + bad)), bad);
    }
  }

  @Test
  void whatIsNoPathIsRefused() {
    assertThrows(InvalidPathException.class, () -> ours.getPath("a\0b"));
    assertThrows(InvalidPathException.class, () -> ours.getPath("a\uD800b"));
    assertThrows(UnsupportedOperationException.class, () -> ours.getPath("a").toFile());
    Path foreign = Path.of("a");
    assertThrows(ProviderMismatchException.class, () -> ours.getPath("a").resolve(foreign));
    assertThrows(ProviderMismatchException.class, () -> ours.getPath("a").relativize(foreign));
    assertThrows(ClassCastException.class, () -> ours.getPath("a").compareTo(foreign));
    assertEquals(false, ours.getPath("a").equals(foreign));
    assertEquals(false, ours.getPath("a").startsWith(foreign));
  }
}
