package dev.upcall.bench.proxy.layout;

import dev.upcall.bench.proxy.disk.Directory;
import dev.upcall.bench.proxy.disk.FileSystem;
import dev.upcall.bench.proxy.trace.RequestTrace;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** Squid's two levels of directories, made before anything is cached, and who goes where. */
final class SquidTree {
  static final int FIRST_LEVEL = 16;
  static final int SECOND_LEVEL = 256;

  /** Squid 2 puts so many files into a directory before it takes the next. */
  private static final int SUCCESSIVE_FILES = 256;

  private static final int FIRST_LEVEL_BITS = 4;

  /**
   * Directories that are filled one after the other lie in groups that have nothing to do with each
   * other. Odd, so that each directory has a place of its own.
   */
  private static final int SCATTER = 1597;

  private static final int FNV_BASIS = 0x811c_9dc5;
  private static final int FNV_PRIME = 0x0100_0193;

  private final Directory[] directories;
  private final int second;

  /**
   * Makes them.
   *
   * @param second how many of the second level; a power of two
   * @param perGroup how many share a cylinder group; 0 to spread them over all
   */
  SquidTree(FileSystem files, int second, int perGroup) {
    this.second = second;
    this.directories = new Directory[FIRST_LEVEL * second];
    int used =
        perGroup == 0
            ? files.groups()
            : Math.clamp(directories.length / perGroup, 1, files.groups());
    for (int x = 0; x < FIRST_LEVEL; x++) {
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

  /** Squid: file n goes into the next directory of the first level. */
  Directory inTurn(int file) {
    return at(file % FIRST_LEVEL, file / FIRST_LEVEL % second);
  }

  /** SquidL: bits of a hash of the server's name. */
  Directory ofHost(int hash) {
    return at(hash & (FIRST_LEVEL - 1), hash >>> FIRST_LEVEL_BITS & (second - 1));
  }

  /** Squid 2: a directory is filled before the next one is taken. */
  Directory successive(int file) {
    int directory = file / SUCCESSIVE_FILES;
    return at(directory / second, directory % second);
  }

  private Directory at(int x, int y) {
    return directories[x * second + y];
  }

  /** How many directories have more than so many files. */
  int larger(int files) {
    return (int) Arrays.stream(directories).filter(each -> each.entries() > files).count();
  }

  /** How many files the largest has. */
  int largest() {
    return Arrays.stream(directories).mapToInt(Directory::entries).max().orElse(0);
  }

  /** FNV-1a of each server's name. */
  static int[] hashes(RequestTrace trace) {
    int[] hashes = new int[trace.hosts()];
    Arrays.setAll(hashes, host -> hash(RequestTrace.hostName(host)));
    return hashes;
  }

  static int hash(String name) {
    int hash = FNV_BASIS;
    for (byte one : name.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (one & 0xff)) * FNV_PRIME;
    }
    return hash;
  }
}
