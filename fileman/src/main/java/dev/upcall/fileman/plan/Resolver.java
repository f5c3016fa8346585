package dev.upcall.fileman.plan;

import dev.upcall.FileCondition;
import dev.upcall.FileManager;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.Kind;
import dev.upcall.content.Texts;
import dev.upcall.request.Resolved;
import dev.upcall.segment.layout.Inode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
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

  /** Where links have led; see {@link dev.upcall.request.Resolved#led}. */
  private List<StorePath> led = List.of();

  /** The directory's own path, once a link has led away from the path. */
  private @Nullable StorePath here;

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
    checkName(path);
    if (path.directoryId() != FileManager.ROOT_ID) {
      checkStart(view, path);
    }
    return new Resolver(view, path).walk(policy);
  }

  /**
   * Where a path leads, and which places it leads over: also where the way is refused, which then
   * is its end.
   */
  static Resolved resolved(NameView view, StorePath path, LinkPolicy policy) {
    checkName(path);
    Resolver resolver = new Resolver(view, path);
    try {
      if (path.directoryId() != FileManager.ROOT_ID) {
        checkStart(view, path);
      }
      return switch (resolver.walk(policy)) {
        case Resolution.Found(long directory, String name, long id, Kind _, List<StorePath> led) ->
            new Resolved(
                Optional.of(Looks.info(view, path, name, id)),
                led,
                fixed(name.isEmpty() ? id : directory, name, path));
        case Resolution.Missing(long directory, List<String> names, List<StorePath> led) ->
            new Resolved(Optional.empty(), led, fixed(directory, String.join("/", names), path));
      };
    } catch (Refused refused) {
      return new Resolved(Optional.empty(), List.copyOf(resolver.led), path);
    }
  }

  /** The path of a value has the names of its table, and must not be taken for that. */
  private static void checkName(StorePath path) {
    if (path.isEntry()) {
      throw new Refused(
          new Failure.Invalid(path + " has no name: its value is read, and put, and nothing else"));
    }
  }

  private static StorePath fixed(long directory, String names, StorePath path) {
    return StorePath.parse(directory, names) instanceof Completion.Done<StorePath>(StorePath fixed)
        ? fixed
        : path; // it cannot be a name, as whoever tries hears
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
        here = here == null ? null : here.parent();
      } else if (!name.isEmpty() && !name.equals(".")) {
        Resolution end = step(name, policy);
        if (end != null) {
          return end;
        }
      }
    }
    if (here != null) {
      leads(here);
    }
    return new Resolution.Found(directory, "", directory, Kind.DIRECTORY, led);
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
          follow(name, view.inode(entry.id()));
          return null;
        }
      }
      case FILE, TABLE -> {
        if (!last) {
          led(name);
          throw new Refused(new Failure.NotADirectory(name + " in " + path));
        }
      }
      case DIRECTORY -> {
        if (!last) {
          directory = entry.id();
          here = here == null ? null : here.child(name);
          return null;
        }
      }
    }
    led(name);
    return new Resolution.Found(directory, name, entry.id(), entry.kind(), led);
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

  /** Remembers a place in the present directory, if a link has led there. */
  private void led(String name) {
    if (here != null) {
      leads(StorePath.whatIsWrongWith(name).isEmpty() ? here.child(name) : here);
    }
  }

  private void leads(StorePath place) {
    if (led.isEmpty()) {
      led = new ArrayList<>(2);
    }
    led.add(place);
  }

  private void follow(String name, Inode link) {
    links++;
    if (here == null) {
      here = path.before(taken - 1);
    } else {
      led(name);
    }
    if (links > MAX_LINKS) {
      throw new Refused(new Failure.LinkLoop(path.toString()));
    }
    String target = Inodes.target(link);
    if (target.startsWith("/")) {
      directory = FileManager.ROOT_ID;
      here = StorePath.ROOT;
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
        leadsTo(names);
        throw new Refused(new Failure.NotFound(path.toString()));
      }
      if (!next.isEmpty() && !next.equals(".")) {
        names.add(next);
      }
    }
    leadsTo(names);
    return new Resolution.Missing(directory, names, led);
  }

  /** Remembers a place below the present directory where nothing is, if a link has led there. */
  private void leadsTo(List<String> names) {
    if (here != null) {
      leads(below(here, names));
    }
  }

  /** The place of names below a directory, as far as they can be names. */
  private static StorePath below(StorePath directory, List<String> names) {
    StorePath place = directory;
    for (String name : names) {
      if (StorePath.whatIsWrongWith(name).isPresent()) {
        return place;
      }
      place = place.child(name);
    }
    return place;
  }
}
