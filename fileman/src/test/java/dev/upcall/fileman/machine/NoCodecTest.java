package dev.upcall.fileman.machine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.config.Compression;
import dev.upcall.config.ContentConfig;
import dev.upcall.request.FileRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Compression in a program without a codec, as this one is. */
class NoCodecTest {
  private static final UpcallConfig CONFIG = UpcallConfig.DEFAULT.withMemoryBytes(32 << 20);
  private static final MetadataChange FAST = MetadataChange.NONE.withCompression(Compression.FAST);

  @TempDir Path folder;

  private static void refused(Executable request) {
    assertEquals(
        "the compression \"fast\" cannot be chosen here: the module dev.upcall:codec-zstd is missing",
        assertThrows(UpcallException.Unsupported.class, request).getMessage());
  }

  @Test
  void itCannotBeChosen() {
    byte[] large = new byte[100_000];
    try (Upcall store = Upcall.create(folder.resolve("v"), CONFIG)) {
      PutOptions fast = PutOptions.DEFAULT.withCompression(Compression.FAST);
      refused(() -> store.setMetadata("/", LinkPolicy.FOLLOW, FAST));
      refused(() -> store.write("/a", new byte[3], fast));
      refused(() -> store.write("/a", large, fast));
      refused(() -> store.put("/a", fast));
      refused(
          () ->
              store.batch(
                  List.of(
                      new FileRequest.CreateDirectory(
                          StorePath.of("/d"), Parents.MUST_EXIST, FAST))));
      assertEquals(0, store.stream("/").count());
      store.write("/a", large, PutOptions.DEFAULT.withCompression(Compression.NONE));
      assertEquals(Optional.of(Compression.NONE), store.stat("/a").compression());
      assertArrayEquals(large, store.readAllBytes("/a"));
    }
  }

  @Test
  void aStoreWithThatSettingIsNotOpenedAndNotMade() {
    Path volume = folder.resolve("v");
    UpcallConfig compressing =
        CONFIG.withContent(ContentConfig.DEFAULT.withCompression(Compression.FAST));
    refused(() -> Upcall.create(volume, compressing));
    assertEquals(false, Files.exists(volume));
    Upcall.create(volume, CONFIG).close();
    refused(() -> Upcall.open(volume, compressing));
    Upcall.open(volume, compressing.withReadOnly(true)).close();
  }
}
