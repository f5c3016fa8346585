package dev.upcall.nio;

import dev.upcall.LinkPolicy;
import java.nio.file.LinkOption;
import java.util.Objects;

/** What options say of a symbolic link at the end of a path. */
final class Links {
  private Links() {}

  /** Whether it is followed. */
  static boolean follows(LinkOption... options) {
    boolean follows = true;
    for (LinkOption option : options) {
      Objects.requireNonNull(option, "option");
      follows &= option != LinkOption.NOFOLLOW_LINKS;
    }
    return follows;
  }

  /** The same in the store's words. */
  static LinkPolicy policy(LinkOption... options) {
    return policy(follows(options));
  }

  static LinkPolicy policy(boolean follows) {
    return follows ? LinkPolicy.FOLLOW : LinkPolicy.NO_FOLLOW;
  }
}
