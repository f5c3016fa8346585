package dev.upcall.bench.proxy.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.proxy.finite.FiniteConfig;
import dev.upcall.bench.proxy.finite.FiniteResult;
import dev.upcall.bench.proxy.finite.FiniteRun;
import dev.upcall.bench.proxy.finite.PolicyKind;
import dev.upcall.bench.proxy.layout.LayoutKind;
import dev.upcall.bench.proxy.layout.MappedLayout;
import dev.upcall.bench.proxy.place.Packing;
import dev.upcall.bench.proxy.trace.RequestTrace;
import dev.upcall.bench.proxy.trace.TraceConfig;
import dev.upcall.bench.proxy.trace.TraceDraw;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects are where the layouts say, on a real file system and in a store. */
class RealFilesTest {
  private final RequestTrace trace = RequestTrace.of(0, new int[] {600, 9_000, 700}, 0, 1, 2);
  private final Content content = new Content(1 << 16);

  @TempDir Path folder;

  /** Two directories in each of sixteen; the server's name hashes to 0x1191_4b55. */
  @ParameterizedTest
  @CsvSource({
    "SQUID, 02/00/2",
    "SQUID_2, 00/00/2",
    "SQUID_L, 05/01/2",
    "CERN, h00000.example/p0/o0000002"
  })
  void thirdObject_isInItsFile(LayoutKind kind, String name) throws Exception {
    Path root = folder.resolve("files");
    try (Ground ground = new HostGround(root, content, false)) {
      RealFiles files = new RealFiles(ground, kind, trace, 2, content);
      for (int object = 0; object < 3; object++) {
        files.write(object);
      }
      files.read(1);
      files.read(2);
      byte[] bytes = Files.readAllBytes(root.resolve(name));
      assertEquals(700, bytes.length);
      assertEquals(2, ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong());
      Path metadata = root.resolve(name).resolveSibling(".meta");
      assertEquals(kind == LayoutKind.CERN, Files.exists(metadata));
      assertTrue(kind != LayoutKind.CERN || Files.size(metadata) == 300);
      assertFalse(Files.exists(metadata.resolveSibling(".lock")));
      Files.write(root.resolve(name), new byte[700]);
      assertThrows(IllegalStateException.class, () -> files.read(2), "another's content");
    }
  }

  /** Segments of 1 KB: one behind the other, in the file as in memory. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void mappedFile_hasSegmentsWhereTheyWerePacked(boolean readsAround) throws Exception {
    try (Ground ground = new HostGround(folder.resolve("files"), content, readsAround)) {
      RealFiles files = new RealFiles(ground, LayoutKind.SQUID_ML, trace, 2, content);
      MappedLayout layout =
          new MappedLayout(trace, ground.segments(1 << 16), new Packing.Plain(), files);
      for (int object = 0; object < 3; object++) {
        layout.write(object);
        layout.read(object);
      }
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(ground.root().resolve("segments")));
      assertEquals(1024, bytes.order(ByteOrder.LITTLE_ENDIAN).getLong(1024));
      assertEquals(0, bytes.getLong(2048));
    }
  }

  @Test
  void boundedFileInAStore_hasTheModelsHits() throws Exception {
    String options = "proxy-layouts ground=STORE policy=LRU seed=1 tenths=2 memory=0 folder=";
    RequestTrace drawn = TraceDraw.draw(TraceConfig.paper(1).scaled().scaled());
    FiniteConfig file = FiniteConfig.PAPER.scaled().scaled();
    FiniteResult model = FiniteRun.of(drawn, PolicyKind.LRU, file);
    try (DeviceJob job = new DeviceJob(Fields.parse(options + folder.resolve("job")))) {
      for (String order : new String[] {"run day=1", "run sweep=1"}) {
        assertTrue(job.run(Fields.parse(order)).remarks().contains("reads="));
      }
      String second = job.run(Fields.parse("run day=2")).remarks();
      assertTrue(second.contains("hits=" + model.hits() + " "), () -> second + model);
    }
  }
}
