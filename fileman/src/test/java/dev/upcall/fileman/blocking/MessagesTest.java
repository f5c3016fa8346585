package dev.upcall.fileman.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Failure;
import dev.upcall.fileman.FileRequest;
import dev.upcall.fileman.StorePath;
import dev.upcall.fileman.Upcall;
import dev.upcall.fileman.UpcallException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What failures say to who embeds the store: in his words, of his paths, whoever serves. */
class MessagesTest {
  @TempDir Path folder;

  private Path volume() {
    return folder.resolve("volume.upcall");
  }

  private static String told(Class<? extends Failure> kind, Executable call) {
    Failure failure = assertThrows(UpcallException.class, call).failure();
    return assertInstanceOf(kind, failure, failure.message()).message();
  }

  @ParameterizedTest
  @EnumSource
  void aBatchThatIsTooLargeIsCountedInRequests(TestedStore tested) {
    try (Upcall store = Upcall.create(volume(), tested.config())) {
      List<FileRequest> requests = new ArrayList<>();
      for (int i = 0; i < 5000; i++) {
        requests.add(new FileRequest.Delete(StorePath.of("/f" + i)));
      }
      assertEquals(
          "the batch is too large: 5000 requests, the limit is 4096",
          told(Failure.TooLarge.class, () -> store.batch(requests)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMissingFolderIsNamed(TestedStore tested) {
    Path missing = folder.resolve("no").resolve("folder");
    Path volume = missing.resolve("volume.upcall");
    String words = "folder " + missing + " does not exist";
    assertEquals(words, told(Failure.NotFound.class, () -> Upcall.create(volume, tested.config())));
    assertEquals(
        words, told(Failure.NotFound.class, () -> Upcall.openOrCreate(volume, tested.config())));
    assertEquals(words, told(Failure.NotFound.class, () -> Upcall.open(volume, tested.config())));
    assertEquals(
        "volume " + volume() + " does not exist",
        told(Failure.NotFound.class, () -> Upcall.open(volume(), tested.config())));
  }

  /** A volume is made under another name, of which nobody needs to know. */
  @ParameterizedTest
  @EnumSource
  void whatIsMadeIsCalledByItsOwnName(TestedStore tested) throws IOException {
    Path unwritable = Path.of("/proc/volume.upcall");
    String refused =
        assertThrows(UpcallException.class, () -> Upcall.create(unwritable, tested.config()))
            .getMessage();
    assertTrue(refused.contains(unwritable.toString()), refused);
    assertFalse(refused.contains(".new"), refused);
    Path unfinished = Files.createDirectory(folder.resolve("volume.upcall.new"));
    String taken = told(Failure.Device.class, () -> Upcall.create(volume(), tested.config()));
    assertTrue(taken.startsWith("making volume " + volume() + " failed: "), taken);
    assertTrue(taken.contains(unfinished.getFileName() + ", left of an earlier attempt"), taken);
    Files.delete(unfinished);
    Upcall.create(volume(), tested.config()).close();
    assertEquals(
        volume() + " already exists",
        told(Failure.AlreadyExists.class, () -> Upcall.create(volume(), tested.config())));
  }
}
