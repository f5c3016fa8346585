package dev.upcall.nio.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import java.io.IOException;
import java.nio.file.Path;
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
    rounds(8, 22);
  }

  private void rounds(int rounds, long seed) throws Exception {
    Random random = new Random(seed);
    KilledChild child = new KilledChild(Child.class, folder);
    int before = 0;
    for (int round = 0; round < rounds; round++) {
      int committed = child.killedAfter(1 + random.nextInt(20));
      assertTrue(committed > before, "nothing was committed in round " + round);
      int found = found();
      String where = "seed " + seed + ", round " + round;
      assertTrue(found >= committed, where + ": " + found + " of " + committed + " documents");
      assertEquals(0, found % PER_COMMIT, where + ": half a commit");
      before = committed;
    }
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
