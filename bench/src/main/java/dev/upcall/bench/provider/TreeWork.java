package dev.upcall.bench.provider;

import dev.upcall.bench.job.ThreadedLoop;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Work on a tree of many small files, as sources are: 20 in a directory, of 0.1 to 20 KB. */
final class TreeWork {
  private static final int FILES_PER_DIRECTORY = 20;
  private static final int DIRECTORIES_PER_DIRECTORY = 40;
  private static final int MOST_BYTES = 20_000;
  private static final int LEAST_BYTES = 100;

  private static final String MADE = "made";

  private final int files;

  /** Of so many files. */
  TreeWork(int files) {
    this.files = files;
  }

  private static Path relative(Path root, int file) {
    int directory = file / FILES_PER_DIRECTORY;
    return root.resolve("p" + directory / DIRECTORIES_PER_DIRECTORY)
        .resolve("d" + directory)
        .resolve("Source" + file + ".java");
  }

  private List<byte[]> contents() {
    Random random = new Random(files);
    List<byte[]> contents = new ArrayList<>();
    for (int file = 0; file < files; file++) {
      // Of two draws the smaller: most files are small.
      int bytes = Math.min(random.nextInt(MOST_BYTES), random.nextInt(MOST_BYTES)) + LEAST_BYTES;
      byte[] content = new byte[bytes];
      random.nextBytes(content);
      contents.add(content);
    }
    return contents;
  }

  /** Brings a file of the tree to a path. */
  private interface Bringing {
    void bring(int file, Path path) throws IOException;
  }

  /** A step writes one file, and deletes its like of the tree before the last. */
  Work copy() {
    return (directory, durable) -> {
      List<byte[]> contents = contents();
      return copies(directory, (file, path) -> write(path, contents.get(file), durable));
    };
  }

  /**
   * A step copies one file of the host's, and deletes its like of the tree before the last.
   *
   * @param host a directory of the host, in which the tree is made
   */
  Work copyFrom(Path host, CopyOption... options) {
    return (directory, _) -> {
      Path tree = Files.exists(host) ? host.resolve(MADE) : made(Files.createDirectory(host));
      return copies(directory, (file, path) -> Files.copy(relative(tree, file), path, options));
    };
  }

  private ThreadedLoop.Step copies(Path directory, Bringing bringing) {
    int[] count = new int[1];
    return () -> {
      int tree = count[0] / files;
      int file = count[0] % files;
      count[0]++;
      Path path = relative(directory.resolve("tree" + tree), file);
      if (file % FILES_PER_DIRECTORY == 0) {
        Files.createDirectories(path.getParent());
      }
      bringing.bring(file, path);
      Path old = relative(directory.resolve("tree" + (tree - 2)), file);
      if (tree >= 2) {
        Files.delete(old);
      }
      if (tree >= 2 && file % FILES_PER_DIRECTORY == FILES_PER_DIRECTORY - 1) {
        Files.delete(old.getParent());
      }
    };
  }

  private static void write(Path path, byte[] content, boolean durable) throws IOException {
    Files.write(path, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    if (durable) {
      try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
        file.force(true);
      }
    }
  }

  private Path made(Path directory) throws IOException {
    Path root = directory.resolve(MADE);
    List<byte[]> contents = contents();
    for (int file = 0; file < files; file++) {
      Path path = relative(root, file);
      if (file % FILES_PER_DIRECTORY == 0) {
        Files.createDirectories(path.getParent());
      }
      write(path, contents.get(file), /* durable= */ false);
    }
    return root;
  }

  /** A step walks the whole tree. */
  Work walk() {
    return (directory, _) -> {
      Path root = made(directory);
      return () -> {
        try (Stream<Path> all = Files.walk(root)) {
          long found = all.filter(Files::isRegularFile).count();
          if (found != files) {
            throw new IllegalStateException(found + " files instead of " + files);
          }
        }
      };
    };
  }

  /** A step reads one file whole. */
  Work read() {
    return (directory, _) -> {
      Path root = made(directory);
      int[] next = new int[1];
      return () -> {
        byte[] content = Files.readAllBytes(relative(root, next[0]));
        next[0] = (next[0] + 1) % files;
        if (content.length < LEAST_BYTES) {
          throw new IllegalStateException("a file of " + content.length + " bytes");
        }
      };
    };
  }

  /** A step reads one of a thousand files of 4 KiB; the paths are at hand. */
  static Work readAllBytes(int files) {
    return (directory, _) -> {
      List<Path> paths = new ArrayList<>();
      for (int file = 0; file < files; file++) {
        Path path = directory.resolve("f" + file);
        Files.write(path, new byte[4096]);
        paths.add(path);
      }
      Random random = new Random(files);
      return (ThreadedLoop.Step)
          () -> {
            int bytes = Files.readAllBytes(paths.get(random.nextInt(files))).length;
            if (bytes != 4096) {
              throw new IllegalStateException("a file of " + bytes + " bytes");
            }
          };
    };
  }
}
