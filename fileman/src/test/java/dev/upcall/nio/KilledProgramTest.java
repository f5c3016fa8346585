package dev.upcall.nio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.index.DirectoryReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that indexes with Lucene in a store is killed by SIGKILL, again and again: what Lucene
 * has committed is there, and the index is whole.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledProgramTest {
  private static final UpcallConfig CONFIG = UpcallConfig.DEFAULT.withMemoryBytes(32L << 20);
  private static final int PER_COMMIT = 20;

  @TempDir Path folder;

  @Test
  void whatLuceneCommittedIsThereAfterTwoKills() throws Exception {
    rounds(2, 21);
  }

  @Test
  @Tag("long")
  void whatLuceneCommittedIsThereAfterManyKills() throws Exception {
    rounds(20, 22);
  }

  private void rounds(int rounds, long seed) throws Exception {
    Random random = new Random(seed);
    int before = 0;
    for (int round = 0; round < rounds; round++) {
      int committed = killed(1 + random.nextInt(20));
      assertTrue(committed > before, "nothing was committed in round " + round);
      int found = found();
      String where = "seed " + seed + ", round " + round;
      assertTrue(found >= committed, where + ": " + found + " of " + committed + " documents");
      assertEquals(0, found % PER_COMMIT, where + ": half a commit");
      before = committed;
    }
  }

  /** Lets a child commit so often, kills it, and gives the documents that it said to be there. */
  private int killed(int commits) throws IOException, InterruptedException {
    String surefire = System.getProperty("surefire.test.class.path");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC"));
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(
        List.of("-cp", surefire == null ? System.getProperty("java.class.path") : surefire));
    command.addAll(List.of(Child.class.getName(), folder.resolve("v.upcall").toString()));
    Process process =
        new ProcessBuilder(command).redirectError(folder.resolve("errors").toFile()).start();
    int committed = 0;
    try (BufferedReader said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      String line = said.readLine();
      for (int i = 1; i < commits && line != null; i++) {
        committed = Integer.parseInt(line);
        line = said.readLine();
      }
      // Not by the process itself, which would close its output: what it said before counts, too.
      process.toHandle().destroyForcibly();
      for (; line != null; line = said.readLine()) {
        committed = Integer.parseInt(line);
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    return committed;
  }

  private int found() throws IOException {
    try (Upcall store = Upcall.open(folder.resolve("v.upcall"), CONFIG);
        LuceneIndex index = new LuceneIndex(store.fileSystem().getPath("/index"));
        DirectoryReader reader = DirectoryReader.open(index.directory())) {
      assertEquals(reader.numDocs() / 10, index.count(reader, "word4"));
      return reader.numDocs();
    }
  }

  /**
   * Indexes and commits until it is killed; says after each commit how many documents there are.
   */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws IOException {
      try (Upcall store = Upcall.openOrCreate(Path.of(arguments[0]), CONFIG);
          LuceneIndex index = new LuceneIndex(store.fileSystem().getPath("/index"))) {
        for (int from = index.documents(); ; from += PER_COMMIT) {
          index.add(from, from + PER_COMMIT);
          index.commit();
          System.out.println(from + PER_COMMIT);
        }
      }
    }
  }
}
