package dev.upcall.fileman;

import dev.upcall.fsm.Failure;
import dev.upcall.segment.Inode;
import dev.upcall.segment.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows a path through directories and symbolic links. Links lead on inside the store only: an
 * absolute target starts at the store's root, and {@code ..} in the root is the root.
 */
final class Resolver {
  /** The most symbolic links on one way. */
  static final int MAX_LINKS = 40;

  private final Namespace namespace;
  private final StorePath path;
  private final Deque<String> ahead;
  private long directory = FileManager.ROOT_ID;
  private int links;

  private Resolver(Namespace namespace, StorePath path) {
    this.namespace = namespace;
    this.path = path;
    this.ahead = new ArrayDeque<>(path.names());
  }

  /** Where a path leads; refuses with {@code NotADirectory} and {@code LinkLoop}. */
  static Resolution resolve(Namespace namespace, StorePath path, LinkPolicy policy) {
    return new Resolver(namespace, path).walk(policy);
  }

  /** As {@link #resolve}; what is missing is refused with {@code NotFound}. */
  static Resolution.Found find(Namespace namespace, StorePath path, LinkPolicy policy) {
    return find(namespace, path, policy, FileCondition.PRESENT);
  }

  /** As {@link #find}, under a condition, which is looked at first. */
  static Resolution.Found find(
      Namespace namespace, StorePath path, LinkPolicy policy, FileCondition condition) {
    Resolution target = resolve(namespace, path, policy);
    condition.check(namespace, path, target);
    return switch (target) {
      case Resolution.Found found -> found;
      case Resolution.Missing _ -> throw new Refused(new Failure.NotFound(path.toString()));
    };
  }

  private Resolution walk(LinkPolicy policy) {
    for (String name = ahead.pollFirst(); name != null; name = ahead.pollFirst()) {
      if (name.equals("..")) {
        directory = namespace.inode(directory).parent();
      } else if (!name.isEmpty() && !name.equals(".")) {
        Resolution end = step(name, policy);
        if (end != null) {
          return end;
        }
      }
    }
    return new Resolution.Found(directory, "", directory, Kind.DIRECTORY);
  }

  /** One name further; null when the way goes on. */
  private @Nullable Resolution step(String name, LinkPolicy policy) {
    byte[] bytes = StorePath.encode(name);
    Names.Entry entry =
        bytes == null || bytes.length > StorePath.MAX_NAME_BYTES
            ? null
            : namespace.entry(directory, bytes);
    if (entry == null) {
      return missing(name);
    }
    boolean last = isEndOfWay();
    switch (entry.kind()) {
      case SYMBOLIC_LINK -> {
        if (!last || policy == LinkPolicy.FOLLOW) {
          follow(namespace.inode(entry.id()));
          return null;
        }
      }
      case FILE -> {
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
    while (!ahead.isEmpty() && ahead.getFirst().isEmpty()) {
      ahead.removeFirst();
    }
    return ahead.isEmpty();
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
    String[] names = target.split("/");
    for (int i = names.length - 1; i >= 0; i--) {
      ahead.addFirst(names[i]);
    }
  }

  private Resolution missing(String name) {
    List<String> names = new ArrayList<>();
    names.add(name);
    for (String next : ahead) {
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
