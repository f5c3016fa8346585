package dev.upcall.codec.zstd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.FileInfo;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.config.Compression;
import dev.upcall.config.ContentConfig;
import dev.upcall.jvm.ChildProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The module is there, and its library cannot be loaded: here the folder is missing into which it
 * is to be unpacked, with the same outcome as of one that is mounted noexec. In JVMs of their own.
 */
class NoLibraryTest {
  private static final byte[] TEXT = SampleText.bytes(1, 300_000);

  @TempDir Path folder;

  @Test
  void filesAreThereAndEachUseOfTheLibrarySaysWhatToDo() throws Exception {
    Path volume = folder.resolve("v");
    try (Upcall store = Upcall.create(volume, UpcallConfig.DEFAULT.withMemoryBytes(32 << 20))) {
      store.write("/a", TEXT, PutOptions.DEFAULT.withCompression(Compression.FAST));
    }
    List<String> said =
        child(
            "-DZstdTempFolder=" + folder.resolve("missing"),
            "--enable-native-access=ALL-UNNAMED",
            Child.class,
            volume.toString());
    String why =
        ": the library of zstd cannot be unpacked into "
            + folder.resolve("missing")
            + " and loaded from there (is it mounted noexec?);"
            + " start Java with -DZstdTempFolder=FOLDER to name another folder";
    assertEquals("content in the form \"zstd\" cannot be read here" + why, said.get(0));
    assertEquals("content cannot be compressed here" + why, said.get(1));
    assertEquals("content cannot be compressed here" + why, said.get(2));
    assertEquals("/a of 300000 bytes", said.get(3));
    assertEquals(4, said.size(), said::toString);
    try (Upcall store = Upcall.open(volume, UpcallConfig.DEFAULT.withMemoryBytes(32 << 20))) {
      assertEquals(List.of("plain"), store.stream("/").map(FileInfo::name).toList());
    }
  }

  @Test
  void whatJavaIsNotAllowedToLoadIsSaid() throws Exception {
    assertEquals(
        List.of(
            "Optional[Java may not load the library of zstd;"
                + " start it with --enable-native-access=ALL-UNNAMED]"),
        child("--illegal-native-access=deny", "-Xshare:auto", Refusal.class, ""));
  }

  private List<String> child(String flag, String other, Class<?> program, String argument)
      throws IOException, InterruptedException {
    return ChildProgram.said(
        folder,
        ChildProgram.command(
            List.of("-Xmx128m", flag, other),
            ChildProgram.classPath(),
            program,
            List.of(argument)));
  }

  /** A program that says why there is no library. */
  static final class Refusal {
    private Refusal() {}

    public static void main(String[] args) {
      System.out.println(new ZstdCodec().refusal());
    }
  }

  /** A program that tries to use what is compressed. */
  static final class Child {
    private static final UpcallConfig CONFIG = UpcallConfig.DEFAULT.withMemoryBytes(32 << 20);

    private Child() {}

    public static void main(String[] args) {
      Path volume = Path.of(args[0]);
      try (Upcall store = Upcall.open(volume, CONFIG)) {
        refused(() -> store.readAllBytes("/a"));
        PutOptions fast = PutOptions.DEFAULT.withCompression(Compression.FAST);
        refused(() -> store.write("/b", TEXT, fast));
        store.write("/plain", TEXT);
        ContentConfig compressed = ContentConfig.DEFAULT.withCompression(Compression.FAST);
        refused(() -> Upcall.open(volume, CONFIG.withContent(compressed)).close());
        System.out.println("/a of " + store.stat("/a").sizeBytes() + " bytes");
        store.delete("/a");
      }
    }

    private static void refused(Runnable request) {
      try {
        request.run();
        System.out.println("done");
      } catch (UpcallException.Unsupported refused) {
        System.out.println(refused.getMessage());
      }
    }
  }
}
