package dev.upcall.fileman.keys;

import dev.upcall.UpcallException;
import dev.upcall.base.HostWords;
import dev.upcall.completion.Failure;
import dev.upcall.config.KeySource;
import dev.upcall.io.seal.KeyMaterial;
import dev.upcall.io.seal.KeySlot;
import dev.upcall.io.seal.KeySlots;
import dev.upcall.io.seal.Seal;
import dev.upcall.io.seal.VolumeKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reads keys from where they are kept, and makes those of new volumes, on the calling thread. No
 * message says anything of a key, nor of the command that gives it.
 */
public final class KeyReader {
  private static final Set<PosixFilePermission> OTHERS =
      EnumSet.complementOf(
          EnumSet.of(
              PosixFilePermission.OWNER_READ,
              PosixFilePermission.OWNER_WRITE,
              PosixFilePermission.OWNER_EXECUTE));

  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(1);

  /** One more than a key and a line end. */
  private static final int MOST_READ = KeyMaterial.MAX_BYTES + 3;

  private KeyReader() {}

  /** The key with which a new volume is encrypted. */
  public record Made(VolumeKey key, KeySlots slots) {}

  /** The seal of a volume that is to be opened; null where there is no key. */
  public static @Nullable Seal seal(Optional<KeySource> source) {
    return source.isEmpty() ? null : Seal.lockedBy(read(source.get()));
  }

  /** A volume's key, and the slot that opens it; null where it is not to be encrypted. */
  public static @Nullable Made make(Optional<KeySource> source) {
    if (source.isEmpty()) {
      return null;
    }
    byte[] random = new byte[VolumeKey.BYTES];
    new SecureRandom().nextBytes(random);
    VolumeKey key = new VolumeKey(random);
    try (KeyMaterial material = readNew(source.get())) {
      return new Made(key, KeySlots.of(key, material, salt()));
    }
  }

  /** A new salt. */
  public static byte[] salt() {
    byte[] salt = new byte[KeySlot.SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    return salt;
  }

  /**
   * Reads a key that is to open a volume from now on.
   *
   * @throws UpcallException as {@link #read}, and {@code Invalid} for a passphrase that is no text
   */
  public static KeyMaterial readNew(KeySource source) {
    KeyMaterial read = read(source);
    if (!read.isDistinct()) {
      read.close();
      throw invalid(
          "the new passphrase is not text in UTF-8; bytes that are no text are a key, not a"
              + " passphrase");
    }
    return read;
  }

  /**
   * Reads a key.
   *
   * @throws UpcallException {@code Invalid} (it is too short or too long, others may read its file,
   *     its command failed), {@code NotFound}, {@code Device}
   */
  public static KeyMaterial read(KeySource source) {
    return switch (source) {
      case KeySource.Bytes bytes ->
          material("the key", bytes.bytes(), bytes.bytes().length, bytes.isPassphrase());
      case KeySource.File file -> ofFile(file.path(), file.isPassphrase());
      case KeySource.Command command -> ofCommand(command.line(), COMMAND_LIMIT);
    };
  }

  private static KeyMaterial ofFile(Path path, boolean isPassphrase) {
    String what = (isPassphrase ? "passphrase file " : "key file ") + path;
    try {
      if (!Files.exists(path)) {
        throw UpcallException.of(new Failure.NotFound(what));
      }
      Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(path);
      if (allowed.stream().anyMatch(OTHERS::contains)) {
        throw invalid(
            "%s can be used by others than its owner (%s); take that away first: chmod 600 %s"
                .formatted(what, PosixFilePermissions.toString(allowed), path));
      }
      try (InputStream in = Files.newInputStream(path)) {
        byte[] read = new byte[MOST_READ];
        return material(what, read, in.readNBytes(read, 0, read.length), isPassphrase);
      }
    } catch (UnsupportedOperationException none) {
      throw invalid(what + " is in a file system that does not say who may read it");
    } catch (IOException refused) {
      throw UpcallException.of(new Failure.Device("reading " + what, HostWords.of(refused)));
    }
  }

  static KeyMaterial ofCommand(String line, Duration limit) {
    List<Process> started;
    try {
      // Java takes the output of a process that ends for ended, whoever else holds it; that of the
      // second one ends with that of the command, and of all that it has left behind.
      started =
          ProcessBuilder.startPipeline(
              List.of(shell(line).redirectInput(Path.of("/dev/null").toFile()), shell("exec cat")));
    } catch (IOException refused) {
      throw unrun(HostWords.of(refused));
    }
    Process process = started.getFirst();
    byte[] read = new byte[MOST_READ];
    CompletableFuture<Integer> reading = new CompletableFuture<>();
    try {
      // On a thread of its own: processes that the command has left behind may keep its output
      // open.
      reading.completeAsync(
          () -> firstBytes(started.getLast(), read),
          Thread.ofPlatform().daemon().name("upcall-key-command")::start);
      int length =
          reading
              .thenCombine(process.onExit(), (bytes, _) -> bytes)
              .orTimeout(limit.toNanos(), TimeUnit.NANOSECONDS)
              .join();
      if (process.exitValue() != 0) {
        throw invalid("the key command ended with %d".formatted(process.exitValue()));
      }
      return material("what the key command gives", read, length, /* isPassphrase= */ false);
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof TimeoutException) {
        throw invalid(
            "the key command, or its output, did not end within %d seconds"
                .formatted(limit.toSeconds()));
      }
      if (failed.getCause() instanceof UncheckedIOException refused) {
        throw unrun(HostWords.of(refused));
      }
      throw failed;
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      started.forEach(Process::destroyForcibly);
      reading.whenComplete((_, _) -> Arrays.fill(read, (byte) 0));
    }
  }

  private static ProcessBuilder shell(String line) {
    return new ProcessBuilder("/bin/sh", "-c", line).redirectError(ProcessBuilder.Redirect.INHERIT);
  }

  /** The output of a command, which ends if it says more than it may. */
  private static int firstBytes(Process process, byte[] into) {
    try (InputStream in = process.getInputStream()) {
      return in.readNBytes(into, 0, into.length);
    } catch (IOException refused) {
      throw new UncheckedIOException(refused);
    }
  }

  private static UpcallException unrun(String reason) {
    return UpcallException.of(new Failure.Device("running the key command", reason));
  }

  /** Of the first bytes of an array, which is cleared. */
  private static KeyMaterial material(String what, byte[] read, int length, boolean isPassphrase) {
    int end = isPassphrase ? withoutLineEnd(read, length) : length;
    byte[] key = Arrays.copyOf(read, end);
    Arrays.fill(read, (byte) 0);
    if (end > KeyMaterial.MAX_BYTES) {
      Arrays.fill(key, (byte) 0);
      throw invalid("%s has more than %d bytes".formatted(what, KeyMaterial.MAX_BYTES));
    }
    if (isPassphrase) {
      if (end == 0) {
        throw invalid(what + " has no passphrase");
      }
      return KeyMaterial.ofPassphrase(key);
    }
    if (end < KeyMaterial.MIN_KEY_BYTES) {
      Arrays.fill(key, (byte) 0);
      throw invalid(
          "%s has %d bytes, and a key has at least %d (head -c 32 /dev/urandom); what a person remembers is a passphrase"
              .formatted(what, end, KeyMaterial.MIN_KEY_BYTES));
    }
    return KeyMaterial.ofKey(key);
  }

  private static int withoutLineEnd(byte[] bytes, int length) {
    int end = length > 0 && bytes[length - 1] == '\n' ? length - 1 : length;
    return end > 0 && end < length && bytes[end - 1] == '\r' ? end - 1 : end;
  }

  private static UpcallException invalid(String message) {
    return UpcallException.of(new Failure.Invalid(message));
  }
}
