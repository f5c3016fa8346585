package dev.upcall.bench.micro;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Plain files in the operating system's cache: {@link Files#readAllBytes}. */
final class PlainReads implements WarmReads {
  private final List<Path> paths = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(1);

  PlainReads(Path folder, int files) throws IOException {
    for (int i = 0; i < files; i++) {
      Path path = folder.resolve(WarmReads.path(i).substring(1));
      Files.createDirectories(path.getParent());
      Files.write(path, WarmReads.content(i));
      WarmReads.check(i, Files.readAllBytes(path));
      paths.add(path);
    }
  }

  @Override
  public long read(int count) throws IOException {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Files.readAllBytes(paths.get(random.nextInt(paths.size())))[FILE_BYTES - 1];
    }
    return sum;
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
