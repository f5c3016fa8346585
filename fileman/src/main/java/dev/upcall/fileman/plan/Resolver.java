package dev.upcall.fileman.plan;

import dev.upcall.FileCondition;
import dev.upcall.FileManager;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.Kind;
import dev.upcall.content.Texts;
import dev.upcall.segment.layout.Inode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows a path through directories and symbolic links, from the root or from a directory that is
 * known by its id. Links lead on inside the store only: an absolute target starts at the store's
 * root, and {@code ..} in the root is the root.
 */
final class Resolver {
  /** The most symbolic links on one way. */
  static final int MAX_LINKS = 40;

  private final NameView view;
  private final StorePath path;

  /** How many names of the path were taken; the others are in {@code ahead} when that is there. */
  private int taken;

  /** The names still to go, once a link has led away from the path. */
  private @Nullable Deque<String> ahead;

  private long directory;
  private int links;

  private Resolver(NameView view, StorePath path) {
    this.view = view;
    this.path = path;
    this.directory = path.directoryId();
  }

  /**
   * Where a path leads; refuses with {@code NotADirectory} and {@code LinkLoop}, and with {@code
   * NotFound} when the directory in which it begins is gone.
   */
  static Resolution resolve(NameView view, StorePath path, LinkPolicy policy) {
    if (path.directoryId() != FileManager.ROOT_ID) {
      checkStart(view, path);
    }
    return new Resolver(view, path).walk(policy);
  }

  /** As {@link #resolve}; what is missing is refused with {@code NotFound}. */
  static Resolution.Found find(NameView view, StorePath path, LinkPolicy policy) {
    return find(view, path, policy, FileCondition.PRESENT);
  }

  /** As {@link #find}, under a condition, which is looked at first. */
  static Resolution.Found find(
      NameView view, StorePath path, LinkPolicy policy, FileCondition condition) {
    Resolution target = resolve(view, path, policy);
    ConditionCheck.check(condition, view, path, target);
    return switch (target) {
      case Resolution.Found found -> found;
      case Resolution.Missing _ -> throw new Refused(new Failure.NotFound(path.toString()));
    };
  }

  /**
   * A directory is gone when the way up from it does not end in the root: what lies below one that
   * was deleted with all its entries is taken apart later, and nobody may bring anything there.
   */
  private static void checkStart(NameView view, StorePath path) {
    long at = path.directoryId();
    while (at != FileManager.ROOT_ID) {
      Inode inode = view.inodeIfThere(at);
      if (inode == null || inode.links() == 0) {
        throw new Refused(
            new Failure.NotFound(path + " (directory " + path.directoryId() + " was deleted)"));
      }
      if (inode.kind() != Kind.DIRECTORY) {
        throw new Refused(new Failure.NotADirectory(path.toString()));
      }
      at = inode.parent();
    }
  }

  private Resolution walk(LinkPolicy policy) {
    for (String name = next(); name != null; name = next()) {
      if (name.equals("..")) {
        directory = view.inode(directory).parent();
      } else if (!name.isEmpty() && !name.equals(".")) {
        Resolution end = step(name, policy);
        if (end != null) {
          return end;
        }
      }
    }
    return new Resolution.Found(directory, "", directory, Kind.DIRECTORY);
  }

  private @Nullable String next() {
    Deque<String> left = ahead;
    if (left != null) {
      return left.pollFirst();
    }
    List<String> names = path.names();
    return taken < names.size() ? names.get(taken++) : null;
  }

  /** The name just taken as bytes, or null when it cannot be one. */
  private byte @Nullable [] encoded(String name) {
    if (ahead == null) {
      return path.encoded(taken - 1);
    }
    byte[] bytes = Texts.utf8(name).orElse(null);
    return bytes == null || bytes.length > StorePath.MAX_NAME_BYTES ? null : bytes;
  }

  /** One name further; null when the way goes on. */
  private @Nullable Resolution step(String name, LinkPolicy policy) {
    byte[] bytes = encoded(name);
    Names.Entry entry = bytes == null ? null : view.entry(directory, bytes);
    if (entry == null) {
      return missing(name);
    }
    boolean last = isEndOfWay();
    switch (entry.kind()) {
      case SYMBOLIC_LINK -> {
        if (!last || policy == LinkPolicy.FOLLOW) {
          follow(view.inode(entry.id()));
          return null;
        }
      }
      case FILE, TABLE -> {
        if (!last) {
          throw new Refused(new Failure.NotADirectory(name + " in " + path));
        }
      }
      case DIRECTORY -> {
        if (!last) {
          directory = entry.id();
          return null;
        }
      }
    }
    return new Resolution.Found(directory, name, entry.id(), entry.kind());
  }

  /**
   * Whether nothing comes after the present name. A slash at the end of a link's target does not
   * count, so that it behaves as in a path.
   */
  private boolean isEndOfWay() {
    Deque<String> left = ahead;
    if (left == null) {
      return taken == path.names().size();
    }
    while (!left.isEmpty() && left.getFirst().isEmpty()) {
      left.removeFirst();
    }
    return left.isEmpty();
  }

  private void follow(Inode link) {
    links++;
    if (links > MAX_LINKS) {
      throw new Refused(new Failure.LinkLoop(path.toString()));
    }
    String target = Inodes.target(link);
    if (target.startsWith("/")) {
      directory = FileManager.ROOT_ID;
    }
    Deque<String> left = leaveThePath();
    String[] names = target.split("/");
    for (int i = names.length - 1; i >= 0; i--) {
      left.addFirst(names[i]);
    }
  }

  private Deque<String> leaveThePath() {
    Deque<String> left = ahead;
    if (left == null) {
      left = new ArrayDeque<>(path.names().subList(taken, path.names().size()));
      ahead = left;
    }
    return left;
  }

  private Resolution missing(String name) {
    List<String> names = new ArrayList<>();
    names.add(name);
    for (String next = next(); next != null; next = next()) {
      if (next.equals("..")) {
        throw new Refused(new Failure.NotFound(path.toString()));
      }
      if (!next.isEmpty() && !next.equals(".")) {
        names.add(next);
      }
    }
    return new Resolution.Missing(directory, names);
  }
}
