package dev.upcall.cli.posix;

import dev.upcall.FileInfo;

/** Modes as ls(1) shows them: {@code drwxr-xr-x}, {@code -rwsr-xr-x}, {@code drwxrwxrwt}. */
public final class ModeText {
  private static final int SET_USER = 04000;
  private static final int SET_GROUP = 02000;
  private static final int STICKY = 01000;

  private ModeText() {}

  /** With the letter of the kind. */
  public static String of(FileInfo entry) {
    char kind =
        switch (entry.kind()) {
          case FILE -> '-';
          case DIRECTORY -> 'd';
          case SYMBOLIC_LINK -> 'l';
          case TABLE -> 't';
        };
    return kind + of(entry.mode());
  }

  /** The nine letters alone. */
  static String of(int mode) {
    return rights(mode >> 6, (mode & SET_USER) != 0, 's')
        + rights(mode >> 3, (mode & SET_GROUP) != 0, 's')
        + rights(mode, (mode & STICKY) != 0, 't');
  }

  /** A special bit stands in the place of the right to execute, in capitals where there is none. */
  private static String rights(int bits, boolean special, char letter) {
    char execute = (bits & 1) != 0 ? 'x' : '-';
    if (special) {
      execute = execute == 'x' ? letter : Character.toUpperCase(letter);
    }
    return "" + ((bits & 4) != 0 ? 'r' : '-') + ((bits & 2) != 0 ? 'w' : '-') + execute;
  }
}
