package dev.upcall.bench.proxy.layout;

import dev.upcall.bench.proxy.disk.Directory;
import dev.upcall.bench.proxy.disk.FileSystem;
import java.util.Arrays;

/** Squid's two levels of directories, made before anything is cached. */
final class SquidTree {
  /**
   * Directories that are filled one after the other lie in groups that have nothing to do with each
   * other. Odd, so that each directory has a place of its own.
   */
  private static final int SCATTER = 1597;

  private final Directory[] directories;

  /**
   * Makes them.
   *
   * @param second how many of the second level; a power of two
   * @param perGroup how many share a cylinder group; 0 to spread them over all
   */
  SquidTree(FileSystem files, int second, int perGroup) {
    this.directories = new Directory[SquidPlaces.FIRST_LEVEL * second];
    int used =
        perGroup == 0
            ? files.groups()
            : Math.clamp(directories.length / perGroup, 1, files.groups());
    for (int x = 0; x < SquidPlaces.FIRST_LEVEL; x++) {
      Directory above = files.createDirectory(files.root(), group(files, x * second, used));
      for (int y = 0; y < second; y++) {
        int at = x * second + y;
        directories[at] = files.createDirectory(above, group(files, at, used));
      }
    }
  }

  private int group(FileSystem files, int directory, int used) {
    long turn = (long) directory * SCATTER % directories.length * used / directories.length;
    return (int) (turn * files.groups() / used);
  }

  /** A directory of the second level. */
  Directory at(int directory) {
    return directories[directory];
  }

  /** How many directories have more than so many files. */
  int larger(int files) {
    return (int) Arrays.stream(directories).filter(each -> each.entries() > files).count();
  }

  /** How many files the largest has. */
  int largest() {
    return Arrays.stream(directories).mapToInt(Directory::entries).max().orElse(0);
  }
}
