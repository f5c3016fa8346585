package dev.upcall.nio;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallSnapshot;
import dev.upcall.io.Disk;
import dev.upcall.nio.channel.Failures;
import dev.upcall.store.Durability;
import dev.upcall.txn.volume.SuperblockCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A volume's file to be opened as a file system, which closes the store with it.
 *
 * @param volume the file
 * @param create whether it is made where it is missing
 * @param config how it is opened
 * @param durability how durable a change is when it returns
 * @param snapshot the name of the snapshot that is meant; empty for the present state
 */
record Mounting(
    Path volume, boolean create, UpcallConfig config, Durability durability, String snapshot) {

  /**
   * By a path that may be something else's.
   *
   * @throws UnsupportedOperationException for what is no volume
   */
  static Mounting of(Path volume, Map<String, ?> environment) throws IOException {
    if (volume.getFileSystem() != FileSystems.getDefault() || !isVolume(volume)) {
      throw new UnsupportedOperationException(volume + " is not the volume of an Upcall store");
    }
    return new Parser(environment).parse(volume, "");
  }

  /**
   * By a URI.
   *
   * @throws FileSystemAlreadyExistsException if it is open
   */
  static Mounting of(MountUri uri, Map<String, ?> environment) {
    return new Parser(environment).parse(Path.of(uri.volume()), uri.snapshot());
  }

  private static boolean isVolume(Path volume) throws IOException {
    if (!Files.isRegularFile(volume)) {
      return false;
    }
    try (FileChannel file = FileChannel.open(volume, StandardOpenOption.READ)) {
      return isBegin(file, 0) || isBegin(file, Disk.BLOCK_BYTES);
    }
  }

  private static boolean isBegin(FileChannel file, long at) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(Integer.BYTES);
    return file.read(head, at) == Integer.BYTES && SuperblockCodec.isBegin(head.flip());
  }

  /** Opens it. */
  FileSystem mount(UpcallFileSystemProvider provider) throws IOException {
    MountUri uri = MountUri.of(volume, snapshot);
    if (provider.mounts().has(uri)) {
      throw new FileSystemAlreadyExistsException(uri.of("/").toString());
    }
    Upcall store =
        Failures.of(
            volume,
            () -> create ? Upcall.openOrCreate(volume, config) : Upcall.open(volume, config));
    boolean mounted = false;
    try {
      UpcallFileSystem system = Failures.of(volume, () -> mount(store));
      mounted = true;
      return system;
    } finally {
      if (!mounted) {
        store.close();
      }
    }
  }

  private UpcallFileSystem mount(Upcall store) {
    if (snapshot.isEmpty()) {
      UpcallFileSystem system = (UpcallFileSystem) store.fileSystem(durability);
      system.closeWith(store::close);
      return system;
    }
    UpcallSnapshot held = store.fsm().snapshot(snapshot);
    UpcallFileSystem system = (UpcallFileSystem) held.fileSystem(snapshot);
    system.closeWith(
        () -> {
          held.close();
          store.close();
        });
    return system;
  }

  /** Reads the properties with which a file system is asked for. */
  private record Parser(Map<String, ?> environment) {
    Mounting parse(Path volume, String snapshotOfUri) {
      boolean create = false;
      UpcallConfig config = UpcallConfig.DEFAULT;
      Durability durability = Durability.ASYNC;
      String snapshot = snapshotOfUri;
      if (environment.get("config") instanceof UpcallConfig given) {
        config = given;
      }
      for (Map.Entry<String, ?> property : environment.entrySet()) {
        String name = property.getKey();
        @Nullable Object value = property.getValue();
        switch (name) {
          case "create" -> create = truth(name, value);
          case "readOnly" -> config = config.withReadOnly(truth(name, value));
          case "memoryBytes" -> config = config.withMemoryBytes(number(name, value));
          case "capBytes" -> config = config.withCapBytes(number(name, value));
          case "engine" -> config = config.withEngine(one(name, value, Engine.values()));
          case "durability" -> durability = one(name, value, Durability.values());
          case "snapshot" -> snapshot = String.valueOf(value);
          case "config" -> {
            if (!(value instanceof UpcallConfig)) {
              throw other(name, value, "an UpcallConfig");
            }
          }
          default ->
              throw new IllegalArgumentException(
                  "property "
                      + name
                      + " is not known; there are create, readOnly, memoryBytes, capBytes, engine,"
                      + " durability, snapshot and config");
        }
      }
      return new Mounting(volume, create, config, durability, snapshot);
    }

    /** Nothing else is false: what is misspelt must not open a volume to write. */
    private static boolean truth(String name, @Nullable Object value) {
      return switch (lower(value)) {
        case "true" -> true;
        case "false" -> false;
        default -> throw other(name, value, "true or false");
      };
    }

    private static long number(String name, @Nullable Object value) {
      try {
        return Long.parseLong(lower(value));
      } catch (NumberFormatException none) {
        throw other(name, value, "a number of bytes");
      }
    }

    private static <E extends Enum<E>> E one(String name, @Nullable Object value, E[] all) {
      return Arrays.stream(all)
          .filter(each -> lower(each).equals(lower(value)))
          .findFirst()
          .orElseThrow(
              () ->
                  other(
                      name,
                      value,
                      Arrays.stream(all).map(Parser::lower).collect(Collectors.joining(" or "))));
    }

    private static IllegalArgumentException other(
        String name, @Nullable Object value, String wanted) {
      return new IllegalArgumentException(
          "property %s is %s, and not %s".formatted(name, value, wanted));
    }

    private static String lower(@Nullable Object value) {
      return String.valueOf(value).toLowerCase(Locale.ROOT);
    }
  }
}
