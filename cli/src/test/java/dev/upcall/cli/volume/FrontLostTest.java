package dev.upcall.cli.volume;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.cli.TestShell;
import dev.upcall.cli.option.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store over whose first blocks something else was written: a file system, perhaps. */
class FrontLostTest {
  private static final UpcallConfig SMALL =
      UpcallConfig.DEFAULT.withMemoryBytes(24L << 20).withCapBytes(64L << 20);
  private static final int FRONT_BYTES = 2 * 4096;

  @TempDir Path here;
  private TestShell shell;
  private Path volume;

  @BeforeEach
  void makeStore() {
    shell = new TestShell(here);
    volume = here.resolve("s.upcall");
    try (Upcall store = Upcall.create(volume, SMALL)) {
      store.write("/a", "text".getBytes(StandardCharsets.UTF_8));
    }
  }

  private byte[] overwrite(String text) throws IOException {
    byte[] front = new byte[FRONT_BYTES];
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, front, 1024, bytes.length);
    try (FileChannel channel = FileChannel.open(volume, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(front), 0);
    }
    return Files.readAllBytes(volume);
  }

  private void run(int code, String... args) {
    assertEquals(code, shell.run(args), () -> String.join(" ", args) + ": " + shell.err());
  }

  @Test
  void commandsThatChange_refuseAndLeaveItUntilTold() throws IOException {
    byte[] before = overwrite("another file system");
    run(ExitCode.FAILED, "mkdir", "/d");
    assertTrue(shell.err().contains("--front-lost"), shell::err);
    run(ExitCode.FAILED, "checkpoint");
    assertTrue(shell.err().contains("it was left as it is"), shell::err);
    assertArrayEquals(before, Files.readAllBytes(volume));
    run(ExitCode.OK, "checkpoint", "--front-lost");
    run(ExitCode.OK, "mkdir", "/d");
    run(ExitCode.OK, "verify", "--deep");
    assertFalse(shell.err().contains("warning"), shell::err);
    run(ExitCode.OK, "cat", "/a");
    assertEquals("text", shell.out());
    assertEquals("", shell.err());
  }

  @Test
  void commandsThatLook_goOnAndSayIt() throws IOException {
    byte[] before = overwrite("another file system");
    run(ExitCode.OK, "ls");
    assertTrue(shell.err().contains("warning: the first blocks of "), shell::err);
    run(ExitCode.PARTLY, "verify");
    assertTrue(shell.err().contains("warning: the first blocks of "), shell::err);
    assertTrue(shell.err().contains("sound but for what the opening found"), shell::err);
    assertArrayEquals(before, Files.readAllBytes(volume));
  }

  @Test
  void zerosInFront_areHealedWithoutAQuestion() throws IOException {
    overwrite("");
    run(ExitCode.OK, "mkdir", "/d");
    run(ExitCode.OK, "ls");
    assertEquals("a\nd\n", shell.out());
    assertEquals("", shell.err());
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void aProgram_isRefusedUntilItRestoresTheFront(Engine engine) throws IOException {
    UpcallConfig config = SMALL.withEngine(engine);
    overwrite("another file system");
    UpcallException refused =
        assertThrows(UpcallException.Invalid.class, () -> Upcall.open(volume, config).close());
    assertTrue(String.valueOf(refused.getMessage()).contains("Upcall.restoreFront"));
    assertThrows(
        IllegalArgumentException.class,
        () -> Upcall.restoreFront(volume, config.withReadOnly(true)));
    Upcall.restoreFront(volume, config);
    try (Upcall store = Upcall.open(volume, config)) {
      assertEquals("text", new String(store.readAllBytes("/a"), StandardCharsets.UTF_8));
    }
  }
}
