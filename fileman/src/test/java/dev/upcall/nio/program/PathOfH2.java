package dev.upcall.nio.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.CopyOption;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.h2.store.fs.FilePath;

/**
 * H2's file layer over paths of a file system: {@code upcall:/db} is the path {@code /db} in it.
 */
final class PathOfH2 extends FilePath {
  private static final String SCHEME = "upcall";

  private final FileSystem system;
  private final Path path;

  /** The root: what H2 is told of, and makes all others by. */
  PathOfH2(FileSystem system) {
    this(system, system.getPath("/"));
  }

  private PathOfH2(FileSystem system, Path path) {
    this.system = system;
    this.path = path;
    this.name = SCHEME + ":" + path;
  }

  private PathOfH2 of(Path other) {
    return new PathOfH2(system, other);
  }

  private interface Io<T> {
    T run() throws IOException;
  }

  /** H2 turns what its layers throw into its own exceptions; here nothing may fail. */
  private static <T> T io(Io<T> action) {
    try {
      return action.run();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public PathOfH2 getPath(String text) {
    String inside = text.startsWith(SCHEME + ":") ? text.substring(SCHEME.length() + 1) : text;
    return of(system.getPath("/").resolve(inside));
  }

  @Override
  public FileChannel open(String mode) throws IOException {
    return FileChannel.open(
        path,
        switch (mode) {
          case "r" -> Set.of(StandardOpenOption.READ);
          case "rw" ->
              Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
          case "rws", "rwd" ->
              Set.of(
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE,
                  StandardOpenOption.CREATE,
                  StandardOpenOption.SYNC);
          default -> throw new IllegalArgumentException("no such mode: " + mode);
        });
  }

  @Override
  public long size() {
    return io(() -> Files.size(path));
  }

  @Override
  public void moveTo(FilePath target, boolean atomicReplace) {
    CopyOption[] options =
        atomicReplace ? new CopyOption[] {StandardCopyOption.ATOMIC_MOVE} : new CopyOption[0];
    io(() -> Files.move(path, ((PathOfH2) target).path, options));
  }

  @Override
  public boolean createFile() {
    return io(
        () -> {
          try {
            Files.createFile(path);
            return true;
          } catch (FileAlreadyExistsException there) {
            return false;
          }
        });
  }

  @Override
  public boolean exists() {
    return Files.exists(path);
  }

  @Override
  public void delete() {
    io(() -> Files.deleteIfExists(path));
  }

  @Override
  public List<FilePath> newDirectoryStream() {
    return io(
        () -> {
          try (Stream<Path> entries = Files.list(path)) {
            return entries.sorted(Comparator.naturalOrder()).<FilePath>map(this::of).toList();
          }
        });
  }

  @Override
  public PathOfH2 toRealPath() {
    return of(path.toAbsolutePath().normalize());
  }

  @Override
  public FilePath getParent() {
    Path parent = path.getParent();
    return parent == null ? this : of(parent);
  }

  @Override
  public boolean isDirectory() {
    return Files.isDirectory(path);
  }

  @Override
  public boolean isRegularFile() {
    return Files.isRegularFile(path);
  }

  @Override
  public boolean isAbsolute() {
    return path.isAbsolute();
  }

  @Override
  public long lastModified() {
    return io(() -> Files.getLastModifiedTime(path)).toMillis();
  }

  @Override
  public boolean canWrite() {
    return Files.isWritable(path);
  }

  @Override
  public boolean setReadOnly() {
    return false;
  }

  @Override
  public void createDirectory() {
    io(() -> Files.createDirectory(path));
  }
}
