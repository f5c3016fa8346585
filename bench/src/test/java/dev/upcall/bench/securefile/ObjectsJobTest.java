package dev.upcall.bench.securefile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.Tally;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectsJobTest {
  private static final int OBJECTS = 40;

  @TempDir Path folder;

  private ObjectsJob job(String store, ObjectSet set, String more)
      throws IOException, InterruptedException {
    return new ObjectsJob(
        Fields.parse(
            "securefiles store=%s folder=%s set=%s count=%d content=mixed duplicates=0.5%s"
                .formatted(store, folder.resolve("job"), set, OBJECTS, more)));
  }

  private static Fields run(ObjectsJob job, String order) throws Exception {
    Tally tally = job.run(Fields.parse("run " + order));
    assertEquals(OBJECTS, tally.units());
    return Fields.parse("ran " + tally.remarks());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"upcall", "upcall-files", "files", "sqlite", "rocksdb-blobs", "mvstore", "tupl"})
  void eachObject_isReadAsItWasLoaded(String store) throws Exception {
    try (ObjectsJob job = job(store, ObjectSet.EMAIL, "")) {
      Fields loaded = run(job, "phase=load streams=3");
      Fields read = run(job, "phase=read streams=5");
      assertEquals(loaded.number("bytes"), read.number("bytes"));
      assertTrue(loaded.number("own-bytes") < loaded.number("bytes"), loaded::toString);
    }
  }

  @Test
  void snapshot_hasTheOldObjectsWhileAllAreReplaced() throws Exception {
    try (ObjectsJob job = job("upcall", ObjectSet.DOCUMENT, " gather=65536 dedup=file")) {
      run(job, "phase=load streams=2");
      assertTrue(run(job, "phase=overwrite streams=2").number("longest-read") > 0);
      assertThrows(
          IOException.class,
          () -> job.run(Fields.parse("run phase=read streams=1")),
          "they are other objects now");
    }
  }

  @Test
  void extents_areOneOfAnObjectAtLeast() throws Exception {
    try (ObjectsJob job = job("upcall", ObjectSet.DOCUMENT, " compression=FAST")) {
      long extents = run(job, "phase=load streams=1").number("extents");
      assertTrue(extents >= OBJECTS && extents <= 3 * OBJECTS, () -> extents + " extents");
    }
  }

  @Test
  void pieces_makeUpTheObjects() throws Exception {
    try (ObjectsJob job = job("upcall", ObjectSet.DOCUMENT, "")) {
      Fields loaded = run(job, "phase=load streams=2");
      Fields read = run(job, "phase=read streams=3 pieces=1");
      assertEquals(loaded.number("bytes"), read.number("bytes"));
    }
  }

  @Test
  void wrongOrders_areRefused() throws Exception {
    try (ObjectsJob job = job("files", ObjectSet.EMAIL, "")) {
      for (String phase : List.of("overwrite", "sing", "read pieces=1")) {
        Fields order = Fields.parse("run streams=1 phase=" + phase);
        assertThrows(IllegalArgumentException.class, () -> job.run(order));
      }
    }
  }
}
