package dev.upcall.fileman.keys;

import static dev.upcall.fileman.blocking.UpcallBehaviour.bytes;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.config.KeySource;
import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.fileman.blocking.TestedEngines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Encrypted stores, as programs meet them. */
public class SealedVolumeTest {
  private static final byte[] MARK = "THIS-MUST-NOT-BE-SEEN".getBytes(UTF_8);
  private static final KeySource KEY = KeySource.ofBytes(bytes(1, 32));
  private static final KeySource OTHER = KeySource.ofBytes(bytes(2, 40));

  @TempDir protected Path folder;

  private Path volume;

  @BeforeEach
  protected void name() {
    volume = folder.resolve("volume.upcall");
  }

  private static Failure failure(Executable call) {
    return assertThrows(UpcallException.class, call).failure();
  }

  private static UpcallConfig config(Engine engine) {
    return UpcallConfig.DEFAULT.withMemoryBytes(32 << 20).withEngine(engine);
  }

  private static UpcallConfig config(Engine engine, KeySource key) {
    return config(engine).withKey(key);
  }

  private static byte[] marked(int length) {
    byte[] content = bytes(9, length);
    for (int at = 0; at + MARK.length < length; at += 1000) {
      System.arraycopy(MARK, 0, content, at, MARK.length);
    }
    return content;
  }

  private static boolean contains(byte[] bytes, byte[] part) {
    for (int at = 0; at + part.length <= bytes.length; at++) {
      if (bytes[at] == part[0]
          && Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
        return true;
      }
    }
    return false;
  }

  @ParameterizedTest
  @EachEngine
  protected void contentAndNames_areReadAgain_andAreNowhereInTheFile(Engine engine)
      throws IOException {
    try (Upcall store = Upcall.create(volume, config(engine, KEY))) {
      store.write("/large-" + new String(MARK, UTF_8), marked(3_000_000));
      for (int i = 0; i < 50; i++) {
        store.write("/small-" + i + new String(MARK, UTF_8), marked(3000 + i));
      }
      assertFalse(contains(Files.readAllBytes(volume), MARK), "plain text while it is open");
      store.checkpoint();
      store.write("/later", marked(10_000));
    }
    assertFalse(contains(Files.readAllBytes(volume), MARK), "plain text in the file");
    for (Engine other : TestedEngines.Of.suite(SealedVolumeTest.class)) {
      try (Upcall store = Upcall.open(volume, config(other, KEY).withReadOnly(true))) {
        assertArrayEquals(
            marked(3_000_000), store.readAllBytes("/large-" + new String(MARK, UTF_8)));
        assertArrayEquals(marked(10_000), store.readAllBytes("/later"));
      }
    }
    try (Upcall store = Upcall.open(volume, config(engine, KEY))) {
      assertArrayEquals(marked(3049), store.readAllBytes("/small-49" + new String(MARK, UTF_8)));
    }
  }

  @ParameterizedTest
  @EachEngine
  protected void anotherKeyOrNone_isRefused_andNothingIsTouched(Engine engine) throws IOException {
    Upcall.create(volume, config(engine, KEY)).close();
    byte[] before = Files.readAllBytes(volume);
    for (UpcallConfig wrong :
        List.of(
            config(engine, OTHER),
            config(engine),
            config(engine, OTHER).withReadOnly(true),
            config(engine).withReadOnly(true),
            config(engine, KeySource.ofPassphrase("horse".toCharArray())))) {
      Failure why = failure(() -> Upcall.open(volume, wrong).close());
      assertTrue(why instanceof Failure.Invalid, why::message);
      assertTrue(why.message().contains(volume.toString()), why::message);
      assertArrayEquals(before, Files.readAllBytes(volume));
    }
    Path plain = folder.resolve("plain.upcall");
    Upcall.create(plain, config(engine)).close();
    byte[] plainBefore = Files.readAllBytes(plain);
    Failure why = failure(() -> Upcall.open(plain, config(engine, KEY)).close());
    assertTrue(why.message().contains("is not encrypted, and a key was given"), why::message);
    assertArrayEquals(plainBefore, Files.readAllBytes(plain));
    Upcall.open(volume, config(engine, KEY)).close();
    Upcall.open(plain, config(engine)).close();
  }

  @ParameterizedTest
  @EachEngine
  protected void keysComeAndGo(Engine engine) {
    KeySource words = KeySource.ofPassphrase("correct horse".toCharArray());
    try (Upcall store = Upcall.create(volume, config(engine, KEY))) {
      store.write("/a", marked(100_000));
      assertEquals(List.of(new Upcall.Keys.Slot(0, false, true)), store.keys().slots());
      store.keys().add(words);
      assertEquals(
          List.of(new Upcall.Keys.Slot(0, false, true), new Upcall.Keys.Slot(1, true, false)),
          store.keys().slots());
      assertThrows(IllegalArgumentException.class, () -> store.keys().remove(8));
      assertTrue(failure(() -> store.keys().remove(5)) instanceof Failure.NotFound);
    }
    try (Upcall store = Upcall.open(volume, config(engine, words))) {
      store.keys().remove(0);
      assertTrue(failure(() -> store.keys().remove(1)) instanceof Failure.Invalid);
      store.keys().rotate(OTHER);
    }
    assertTrue(
        failure(() -> Upcall.open(volume, config(engine, KEY)).close()) instanceof Failure.Invalid);
    assertTrue(
        failure(() -> Upcall.open(volume, config(engine, words)).close())
            instanceof Failure.Invalid);
    try (Upcall store = Upcall.open(volume, config(engine, OTHER))) {
      assertArrayEquals(marked(100_000), store.readAllBytes("/a"));
      store.keys().destroyAll();
      assertEquals(List.of(), store.keys().slots());
      assertArrayEquals(marked(100_000), store.readAllBytes("/a"));
    }
    Failure gone = failure(() -> Upcall.open(volume, config(engine, OTHER)).close());
    assertTrue(gone.message().contains("were destroyed"), gone::message);
  }

  @ParameterizedTest
  @EachEngine
  protected void aPlainStoreHasNoKeys(Engine engine) {
    try (Upcall store = Upcall.create(volume, config(engine))) {
      assertEquals(List.of(), store.keys().slots());
      Failure why = failure(() -> store.keys().add(KEY));
      assertTrue(why.message().contains("is not encrypted"), why::message);
    }
  }

  private Path file(String name, byte[] bytes, String mode) throws IOException {
    Path file = Files.write(folder.resolve(name), bytes);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  @Test
  protected void keysAreReadFromFilesAndCommands() throws IOException {
    Path key = file("key", bytes(7, 64), "rw-------");
    Path words = file("words", "correct horse\r\n".getBytes(UTF_8), "r--------");
    try (Upcall store = Upcall.create(volume, config(Engine.FSM, KeySource.ofFile(key)))) {
      store.keys().add(KeySource.ofPassphraseFile(words));
    }
    Upcall.open(volume, config(Engine.FSM, KeySource.ofBytes(bytes(7, 64)))).close();
    Upcall.open(volume, config(Engine.FSM, KeySource.ofCommand("cat '" + key + "'"))).close();
    KeySource remembered = KeySource.ofPassphrase("correct horse".toCharArray());
    Upcall.open(volume, config(Engine.FSM, remembered)).close();
  }

  private String refused(KeySource source) throws IOException {
    byte[] before = Files.exists(volume) ? Files.readAllBytes(volume) : new byte[0];
    UpcallException refused =
        assertThrows(
            UpcallException.class,
            () -> Upcall.openOrCreate(volume, config(Engine.FSM, source)).close());
    byte[] after = Files.exists(volume) ? Files.readAllBytes(volume) : new byte[0];
    assertArrayEquals(before, after);
    String words = refused.failure().message();
    assertFalse(words.contains("s3cret"), words);
    return words;
  }

  @Test
  protected void whatIsNoKey_isRefused_andTheMessageTellsNothingOfIt() throws IOException {
    for (int made = 0; made < 2; made++) {
      assertTrue(
          refused(KeySource.ofFile(file("open", bytes(7, 64), "rw-r-----")))
              .contains("(rw-r-----)"));
      assertTrue(
          refused(KeySource.ofPassphraseFile(file("open2", bytes(7, 64), "rw----r--")))
              .contains("(rw----r--)"));
      assertTrue(
          refused(KeySource.ofFile(file("short", "s3cret".getBytes(UTF_8), "rw-------")))
              .contains("has 6 bytes"));
      assertTrue(
          refused(KeySource.ofFile(file("long", new byte[5000], "rw-------"))).contains("4096"));
      assertTrue(
          refused(KeySource.ofPassphraseFile(file("empty", "\n".getBytes(UTF_8), "rw-------")))
              .contains("no passphrase"));
      assertTrue(refused(KeySource.ofFile(folder.resolve("none"))).contains("does not exist"));
      assertTrue(refused(KeySource.ofCommand("echo s3cret")).contains("has 7 bytes"));
      assertTrue(
          refused(KeySource.ofCommand("head -c 32 /dev/zero; exit 3 # s3cret"))
              .contains("ended with 3"));
      assertTrue(refused(KeySource.ofCommand("exit 4 # s3cret")).contains("ended with 4"));
      assertTrue(refused(KeySource.ofBytes("s3cret".getBytes(UTF_8))).contains("has 6 bytes"));
      if (made == 0) {
        Upcall.create(volume, config(Engine.FSM, KEY)).close();
      }
    }
  }

  @Test
  protected void settingsShowNothingOfAKey() {
    for (KeySource source :
        List.of(
            KeySource.ofBytes("s3cret-s3cret-s3cret-s3cret-s3cret".getBytes(UTF_8)),
            KeySource.ofPassphrase("s3cret".toCharArray()),
            KeySource.ofCommand("vault read s3cret"))) {
      String shown = config(Engine.FSM, source) + " " + source;
      assertFalse(shown.contains("s3cret"), shown);
      assertFalse(shown.contains("[B@"), shown);
    }
  }
}
