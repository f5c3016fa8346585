package dev.upcall.nio.program;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.io.MoreFiles;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.io.file.Counters;
import org.apache.commons.io.file.PathUtils;
import org.apache.lucene.index.DirectoryReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs and libraries that others wrote for files work in a store as they are. */
class ProgramsTest {
  @TempDir Path folder;
  private Upcall store;
  private FileSystem system;

  @BeforeEach
  void open() {
    store =
        Upcall.create(folder.resolve("p.upcall"), UpcallConfig.DEFAULT.withMemoryBytes(32L << 20));
    system = store.fileSystem();
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void luceneIndexesAndSearches() throws IOException {
    Path directory = system.getPath("/index");
    try (LuceneIndex index = new LuceneIndex(directory)) {
      index.add(0, 500);
      index.commit();
      try (DirectoryReader old = DirectoryReader.open(index.directory())) {
        index.add(500, 1500);
        index.commit();
        index.mergeAll();
        assertEquals(500, old.numDocs(), "a reader reads on in files that are gone");
        assertEquals(50, index.count(old, "word7"));
      }
      index.add(1500, 1600);
    }
    try (LuceneIndex again = new LuceneIndex(directory);
        DirectoryReader reader = DirectoryReader.open(again.directory())) {
      assertEquals(1600, reader.numDocs());
      assertEquals(160, again.count(reader, "word3"));
    }
  }

  @Test
  void commonsIoCopiesCountsAndDeletes() throws IOException {
    Path tree = tree("/from");
    PathUtils.copyDirectory(tree, system.getPath("/to"));
    Counters.PathCounters counted = PathUtils.countDirectory(system.getPath("/to"));
    assertEquals(30, counted.getFileCounter().get());
    assertTrue(PathUtils.directoryAndFileContentEquals(tree, system.getPath("/to")));
    PathUtils.deleteDirectory(system.getPath("/to"));
    assertFalse(Files.exists(system.getPath("/to")));
  }

  @Test
  void guavaWalksAndDeletes() throws IOException {
    Path tree = tree("/g");
    assertEquals(30, all(tree).size());
    MoreFiles.createParentDirectories(system.getPath("/x/y/z"));
    assertTrue(MoreFiles.equal(tree.resolve("d1/f1"), tree.resolve("d1/f1")));
    assertEquals("text 1", MoreFiles.asCharSource(tree.resolve("d1/f1"), UTF_8).read());
    MoreFiles.deleteRecursively(tree);
    assertFalse(Files.exists(tree));
  }

  private static List<Path> all(Path tree) {
    List<Path> files = new ArrayList<>();
    MoreFiles.fileTraverser()
        .breadthFirst(tree)
        .forEach(
            path -> {
              if (Files.isRegularFile(path)) {
                files.add(path);
              }
            });
    return files;
  }

  private Path tree(String name) throws IOException {
    Path tree = system.getPath(name);
    for (int i = 0; i < 30; i++) {
      Path directory = Files.createDirectories(tree.resolve("d" + i % 5));
      Files.writeString(directory.resolve("f" + i), "text " + i);
    }
    try (Stream<Path> files = Files.walk(tree)) {
      assertEquals(36, files.count());
    }
    return tree;
  }
}
