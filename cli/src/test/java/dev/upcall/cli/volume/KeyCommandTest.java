package dev.upcall.cli.volume;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.TestShell;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted stores on the command line. */
class KeyCommandTest {
  private static final String TEXT = "a letter that nobody else may read";

  @TempDir Path folder;

  private TestShell shell;
  private String store;
  private String key;
  private String other;
  private String words;

  @BeforeEach
  void start() throws IOException {
    shell = new TestShell(folder);
    store = "--store=" + folder.resolve("s.upcall");
    key = file("key", bytes(1)).toString();
    other = file("other", bytes(2)).toString();
    words = file("words", "correct horse\n".getBytes(UTF_8)).toString();
  }

  private static byte[] bytes(int with) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) with);
    return bytes;
  }

  private Path file(String name, byte[] bytes) throws IOException {
    Path file = Files.write(folder.resolve(name), bytes);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private void done(String... args) {
    assertEquals(0, shell.run(args), () -> shell.err());
  }

  private void refused(int code, String why, String... args) {
    assertEquals(code, shell.run(args), () -> shell.out() + shell.err());
    assertTrue(shell.err().contains(why), shell::err);
  }

  private void made() {
    done("create", folder.resolve("s.upcall").toString(), "--key-file", key);
    shell.input(TEXT.getBytes(UTF_8));
    done("put", "-", "/letter", store, "--key-file", key);
  }

  private void reads(String... with) {
    String[] args = Arrays.copyOf(new String[] {"cat", "/letter", store}, 3 + with.length);
    System.arraycopy(with, 0, args, 3, with.length);
    done(args);
    assertEquals(TEXT, shell.out());
  }

  /** Piece by piece: a volume is larger than the heap of a test should be. */
  private static boolean holds(Path file, String text) throws IOException {
    byte[] piece = new byte[1 << 20];
    try (InputStream in = Files.newInputStream(file)) {
      int kept = 0;
      for (int read = in.read(piece); read >= 0; read = in.read(piece, kept, piece.length - kept)) {
        int filled = kept + read;
        if (new String(piece, 0, filled, ISO_8859_1).contains(text)) {
          return true;
        }
        kept = Math.min(filled, text.length() - 1);
        System.arraycopy(piece, filled - kept, piece, 0, kept);
      }
    }
    return false;
  }

  @Test
  void everyCommandTakesTheKey_andNoneOpensWithoutIt() throws IOException {
    made();
    reads("--key-file", key);
    reads("--key-command", "cat " + key);
    Path volume = folder.resolve("s.upcall");
    Path before = Files.copy(volume, folder.resolve("before"));
    assertFalse(holds(volume, "letter"));
    assertTrue(
        holds(
            Files.writeString(folder.resolve("plain"), ".".repeat((1 << 20) - 3) + "letter"),
            "letter"));
    refused(1, "is encrypted, and no key was given", "ls", "/", store);
    refused(1, "opens none of the 1 key slots", "rm", "/letter", store, "--key-file", other);
    refused(2, "give one of", "ls", "/", store, "--key-file", key, "--passphrase-file", words);
    assertEquals(-1, Files.mismatch(before, volume));
    for (List<String> command :
        List.of(
            List.of("ls", "/"),
            List.of("stat", "/letter"),
            List.of("find", "/"),
            List.of("df"),
            List.of("info"),
            List.of("verify", "--deep"),
            List.of("snapshot", "list"),
            List.of("key", "list"),
            List.of("mkdir", "/d"),
            List.of("checkpoint"))) {
      List<String> all = new ArrayList<>(command);
      all.addAll(List.of(store, "--key-file", key));
      done(all.toArray(String[]::new));
    }
  }

  @Test
  void firstCreationByAnotherCommandIsEncrypted() throws IOException {
    Path from = Files.createDirectory(folder.resolve("from"));
    Files.writeString(from.resolve("letter"), TEXT);
    done("import", from.toString(), store, "--passphrase-file", words);
    refused(1, "is encrypted", "ls", "/", store);
    reads("--passphrase-file", words);
  }

  @Test
  void keysComeAndGo() {
    made();
    done("key", "add", store, "--key-file", key, "--new-passphrase-file", words);
    done("info", store, "--passphrase-file", words);
    assertTrue(shell.out().contains("encrypted:  yes\n"), shell::out);
    done("key", "list", store, "--passphrase-file", words);
    assertEquals("0  key\n1  passphrase  opened the store now\n", shell.out());
    done("key", "list", "--json", store, "--key-file", key);
    assertTrue(shell.out().contains("\"kind\":\"passphrase\""), shell::out);
    done("key", "rotate", store, "--key-file", key, "--new-key-file", other);
    refused(
        1,
        "opens slot 0 already",
        "key",
        "add",
        store,
        "--key-file",
        other,
        "--new-key-file",
        other);
    refused(1, "opens none of the 2", "cat", "/letter", store, "--key-file", key);
    reads("--key-file", other);
    done("key", "remove", "0", store, "--passphrase-file", words);
    refused(1, "opens none of the 1", "cat", "/letter", store, "--key-file", other);
    refused(1, "the last key", "key", "remove", "1", store, "--passphrase-file", words);
    refused(2, "0 to 7", "key", "remove", "8", store, "--passphrase-file", words);
    refused(2, "add --destroy", "key", "remove", "--all", store, "--passphrase-file", words);
    refused(2, "or --all", "key", "remove", store, "--passphrase-file", words);
    refused(2, "give the new key", "key", "add", store, "--passphrase-file", words);
    refused(2, "say what to do", "key");
    reads("--passphrase-file", words);
    done("key", "remove", "--all", "--destroy", store, "--passphrase-file", words);
    refused(1, "were destroyed", "cat", "/letter", store, "--passphrase-file", words);
  }

  @Test
  void aPassphraseThatIsNoTextIsNone() throws IOException {
    String latin = file("latin", "Müller\n".getBytes(ISO_8859_1)).toString();
    String random = file("random", new byte[] {(byte) 0xFF, 1, 2, 3}).toString();
    String volume = folder.resolve("s.upcall").toString();
    refused(1, "not text in UTF-8", "create", volume, "--passphrase-file", latin);
    assertFalse(Files.exists(folder.resolve("s.upcall")));
    made();
    for (String how : new String[] {"add", "rotate"}) {
      refused(
          1,
          "not text in UTF-8",
          "key",
          how,
          store,
          "--key-file",
          key,
          "--new-passphrase-file",
          random);
    }
    done("key", "list", store, "--key-file", key);
    assertEquals(1, shell.out().lines().count(), shell::out);
  }

  @Test
  void aPlainStoreTakesNoKey() {
    done("create", folder.resolve("s.upcall").toString());
    refused(1, "is not encrypted, and a key was given", "ls", "/", store, "--key-file", key);
    done("key", "list", store);
    assertEquals("", shell.out());
    refused(1, "is not encrypted", "key", "add", store, "--new-key-file", key);
  }
}
