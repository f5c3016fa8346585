package dev.upcall.bench.proxy.device;

import dev.upcall.bench.proxy.layout.Layout;
import dev.upcall.bench.proxy.layout.LayoutKind;
import dev.upcall.bench.proxy.layout.SquidPlaces;
import dev.upcall.bench.proxy.trace.RequestTrace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;

/**
 * A real file for each object, in Squid's directories, which are there from the beginning, or in
 * those of CERN, which come with URLs and have a lock and lines of metadata. Used by one thread.
 */
final class RealFiles implements Layout {
  /** A line of CERN's metadata, in the model as well. */
  private static final int LINE_BYTES = 100;

  private static final Set<StandardOpenOption> NEW =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

  private final Ground ground;
  private final RequestTrace trace;
  private final Content content;
  private final boolean isCern;
  private final String[] names;
  private final SquidPlaces places;
  private final int second;
  private int nextFile;

  RealFiles(Ground ground, LayoutKind kind, RequestTrace trace, int second, Content content)
      throws IOException {
    this.ground = ground;
    this.trace = trace;
    this.content = content;
    this.isCern = kind == LayoutKind.CERN;
    this.names = new String[trace.objects()];
    this.places = isCern ? (file, object) -> 0 : SquidPlaces.of(kind, trace, second);
    this.second = second;
    for (int i = 0; !isCern && i < SquidPlaces.FIRST_LEVEL * second; i++) {
      Files.createDirectories(ground.root().resolve(directory(i)));
    }
  }

  private String directory(int number) {
    return "%02x/%02x".formatted(number / second, number % second);
  }

  @Override
  public void write(int object) {
    try {
      if (isCern) {
        writeCern(object);
      } else {
        names[object] = directory(places.directory(nextFile, object)) + "/" + nextFile++;
        put(path(object), object);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private Path path(int object) {
    return ground.root().resolve(names[object]);
  }

  private void writeCern(int object) throws IOException {
    names[object] = trace.url(object).substring("http://".length());
    Path folder = Objects.requireNonNull(path(object).getParent());
    Files.createDirectories(folder);
    Path lock = folder.resolve(".lock");
    if (Files.exists(lock)) {
      throw new IOException(lock + " was left behind");
    }
    Files.createFile(lock);
    put(path(object), object);
    byte[] line = new byte[LINE_BYTES];
    Arrays.fill(line, (byte) '-');
    Files.write(
        folder.resolve(".meta"), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    Files.delete(lock);
  }

  private void put(Path path, int object) throws IOException {
    ByteBuffer bytes = content.stamped(object, trace.sizeBytes(object));
    try (SeekableByteChannel file = Files.newByteChannel(path, NEW)) {
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    }
  }

  @Override
  public void read(int object) {
    Path path = path(object);
    ByteBuffer into = content.room(trace.sizeBytes(object));
    try {
      if (isCern) {
        boolean isLocked = Files.exists(path.resolveSibling(".lock"));
        if (isLocked || Files.readAllBytes(path.resolveSibling(".meta")).length < LINE_BYTES) {
          throw new IOException(path + " is locked, or its folder has no metadata");
        }
      }
      try (SeekableByteChannel file = Files.newByteChannel(path)) {
        while (into.hasRemaining() && file.read(into) >= 0) {
          // There is more to read.
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    content.check(object);
  }
}
