package dev.upcall.cli;

import dev.upcall.completion.Failure;
import dev.upcall.config.DiskKind;
import dev.upcall.fileman.Engine;
import dev.upcall.fileman.Upcall;
import dev.upcall.fileman.UpcallConfig;
import dev.upcall.fileman.UpcallException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say which store, and how to open it. */
final class StoreAccess {
  /** The environment variable that names a store where no option does. */
  static final String VARIABLE = "UPCALL_STORE";

  /** How the names of stores end. */
  static final String SUFFIX = ".upcall";

  @Option(
      names = "--store",
      paramLabel = "PATH",
      description =
          "The store: one file or block device. Default: $"
              + VARIABLE
              + ", else the only *"
              + SUFFIX
              + " file of the current directory; for 'serve DIR' and 'import DIR' the name of DIR"
              + " with "
              + SUFFIX
              + " in the current directory.")
  @Nullable Path store;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = Sizes.class,
      description =
          "Memory of the store (64m, 2g). Default: an eighth of the machine's, at most 1g and what"
              + " the JVM allows.")
  @Nullable Long memory;

  @Option(
      names = "--volume-size",
      paramLabel = "SIZE",
      converter = Sizes.class,
      description =
          "What the store's file may grow to (at least 64m). Default: as it was, 256g when new.")
  @Nullable Long volumeSize;

  @Option(
      names = "--engine",
      paramLabel = "fsm|threads|virtual",
      description =
          "Who serves the calls: state machines, or the calling threads under locks, for comparison"
              + " (serve: a thread for each connection; not for snapshots and verify). Default: fsm.")
  String engine = "fsm";

  @Option(
      names = "--disk",
      paramLabel = "auto|ring|channel",
      description = "How the store's file is accessed: io_uring, or a pool of threads.")
  String disk = "auto";

  @Option(
      names = "--read-only",
      description =
          "Leave the store's file as it is, byte for byte, also when it is damaged: then what was"
              + " committed before the damage can be read.")
  boolean readOnly;

  /** Where the store of a command without a directory is. */
  Path find(Shell shell) throws IOException {
    Path named = named(shell);
    if (named != null) {
      return named;
    }
    List<Path> found = new ArrayList<>();
    Path here = shell.resolve(Path.of(".")).toRealPath();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(here, "*" + SUFFIX)) {
      stream.forEach(found::add);
    }
    found.removeIf(path -> !Files.isRegularFile(path));
    if (found.size() != 1) {
      throw CommandFailure.usage(
          (found.isEmpty()
                  ? "no store named, and no *" + SUFFIX + " file in " + here
                  : "no store named, and " + found.size() + " *" + SUFFIX + " files in " + here)
              + "; give --store PATH or set "
              + VARIABLE);
    }
    return found.getFirst();
  }

  /** Where the store for a directory of the host is. */
  Path findFor(Path directory, Shell shell) throws IOException {
    Path named = named(shell);
    if (named != null) {
      return named;
    }
    Path name = directory.toRealPath().getFileName();
    return shell.resolve(Path.of((name == null ? "root" : name) + SUFFIX)).toAbsolutePath();
  }

  private @Nullable Path named(Shell shell) {
    String variable = shell.environment().apply(VARIABLE);
    if (store != null) {
      return shell.resolve(store);
    }
    return variable == null || variable.isEmpty() ? null : shell.resolve(Path.of(variable));
  }

  /** Opens a store that exists, and warns when only a part of it can be read. */
  Upcall open(Path path, Shell shell) {
    try {
      Upcall opened = Upcall.open(path, config());
      String reason = opened.info().readOnlyReason();
      if (reason.contains("corrupt")) {
        shell.say("warning: " + reason);
      }
      return opened;
    } catch (UpcallException failed) {
      if (failed.failure() instanceof Failure.NotFound) {
        throw CommandFailure.failed(
            "no store at " + path + "; make one with: upcall import DIR --store " + path);
      }
      throw failed;
    }
  }

  /** Opens a store, or makes it. */
  Upcall openOrCreate(Path path) {
    return Upcall.openOrCreate(path, config());
  }

  /** How to open it. */
  UpcallConfig config() {
    long memoryBytes = memory == null ? MemoryChoice.standardBytes() : MemoryChoice.checked(memory);
    if (volumeSize != null && volumeSize < UpcallConfig.MIN_CAP_BYTES) {
      throw CommandFailure.usage(
          "--volume-size must be at least "
              + Sizes.show(UpcallConfig.MIN_CAP_BYTES)
              + ", not "
              + Sizes.show(volumeSize));
    }
    return UpcallConfig.DEFAULT
        .withMemoryBytes(memoryBytes)
        .withCapBytes(volumeSize == null ? 0 : volumeSize)
        .withDisk(diskKind())
        .withReadOnly(readOnly)
        .withEngine(chosenEngine());
  }

  /** The engine that was asked for. */
  Engine chosenEngine() {
    return switch (engine.toLowerCase(Locale.ROOT)) {
      case "fsm" -> Engine.FSM;
      case "threads" -> Engine.THREADS;
      case "virtual" -> Engine.VIRTUAL;
      default ->
          throw CommandFailure.usage("--engine is fsm, threads or virtual, not '" + engine + "'");
    };
  }

  private DiskKind diskKind() {
    return switch (disk.toLowerCase(Locale.ROOT)) {
      case "auto" -> DiskKind.AUTO;
      case "ring" -> DiskKind.RING;
      case "channel" -> DiskKind.CHANNEL;
      default -> throw CommandFailure.usage("--disk is auto, ring or channel, not '" + disk + "'");
    };
  }

  /** The host's files that belong to a store: its own and those that may lie beside it. */
  static List<Path> filesOf(Path store) {
    List<Path> files = new ArrayList<>();
    files.add(store);
    Path name = store.getFileName();
    if (name != null) {
      files.add(store.resolveSibling(name + ".lock"));
      files.add(store.resolveSibling(name + ".new"));
    }
    return files;
  }
}
