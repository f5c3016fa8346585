package dev.upcall.codec.zstd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileInfo;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.config.Compression;
import dev.upcall.jvm.ChildProgram;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A volume with compressed files in a program that has neither the module nor its library. */
class NoModuleTest {
  private static final UpcallConfig CONFIG = UpcallConfig.DEFAULT.withMemoryBytes(32 << 20);
  private static final byte[] TEXT = SampleText.bytes(1, 300_000);

  @TempDir Path folder;

  @Test
  void filesAreListedMovedClonedAndDeleted_andAReadSaysWhatIsMissing() throws Exception {
    Path volume = folder.resolve("v");
    try (Upcall store = Upcall.create(volume, CONFIG)) {
      store.createDirectories("/d");
      for (String path : List.of("/a", "/gone", "/d/b")) {
        store.write(path, TEXT, PutOptions.DEFAULT.withCompression(Compression.FAST));
      }
    }
    assertEquals(
        List.of(
            "a of 300000 bytes",
            "d of 0 bytes",
            "gone of 300000 bytes",
            "Unsupported: content in the form \"zstd\" cannot be read here:"
                + " the module dev.upcall:codec-zstd is missing",
            "clone of 300000 bytes",
            "d of 0 bytes",
            "moved of 300000 bytes"),
        child(volume));
    try (Upcall store = Upcall.open(volume, CONFIG)) {
      for (String path : List.of("/moved", "/clone", "/d/b")) {
        assertArrayEquals(TEXT, store.readAllBytes(path), path);
      }
      assertTrue(!store.exists("/gone"));
    }
  }

  private List<String> child(Path volume) throws IOException, InterruptedException {
    Path module = Path.of("target/classes").toAbsolutePath();
    String without =
        Arrays.stream(ChildProgram.classPath().split(File.pathSeparator))
            .filter(part -> !Path.of(part).toAbsolutePath().normalize().equals(module))
            .filter(part -> !part.contains("zstd-jni"))
            .collect(Collectors.joining(File.pathSeparator));
    return ChildProgram.said(
        folder,
        ChildProgram.command(
            List.of("-Xmx128m", "--enable-native-access=ALL-UNNAMED"),
            without,
            Child.class,
            List.of(volume.toString())));
  }

  /** The program. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) {
      try (Upcall store = Upcall.open(Path.of(args[0]), CONFIG)) {
        list(store);
        store.rename("/a", "/moved");
        store.cloneFile("/moved", "/clone");
        store.delete("/gone");
        try {
          store.readAllBytes("/clone");
        } catch (UpcallException.Unsupported refused) {
          System.out.println("Unsupported: " + refused.getMessage());
        }
        list(store);
      }
    }

    private static void list(Upcall store) {
      store.stream("/")
          .forEach(
              (FileInfo each) ->
                  System.out.println(each.name() + " of " + each.sizeBytes() + " bytes"));
    }
  }
}
