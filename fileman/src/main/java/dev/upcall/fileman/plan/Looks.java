package dev.upcall.fileman.plan;

import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.Kind;
import dev.upcall.fileman.FileInfo;
import dev.upcall.fileman.LinkPolicy;
import dev.upcall.fileman.MediaTypes;
import dev.upcall.fileman.PutOptions;
import dev.upcall.fileman.StorePath;
import dev.upcall.segment.Inode;
import dev.upcall.txn.Query;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The pure queries of the file manager. */
public final class Looks {
  private Looks() {}

  /**
   * What was found under a path.
   *
   * @param info its metadata
   * @param inode the inode of the same state
   */
  public record Seen(FileInfo info, Inode inode) {}

  /**
   * Some names in a directory.
   *
   * @param id the directory
   * @param nextAfter the last of the names when there may be more, else null
   */
  public record Page(FileInfo directory, long id, List<String> names, @Nullable String nextAfter) {}

  public static Query<Seen> at(StorePath path, LinkPolicy links) {
    return view -> Refused.catching(() -> see(new CommittedNames(view), path, links));
  }

  public static Query<FileInfo> stat(StorePath path, LinkPolicy links) {
    return view -> Refused.catching(() -> see(new CommittedNames(view), path, links).info());
  }

  public static Query<String> readLink(StorePath path) {
    return view ->
        Refused.catching(
            () -> {
              Inode inode = see(new CommittedNames(view), path, LinkPolicy.NO_FOLLOW).inode();
              if (inode.kind() != Kind.SYMBOLIC_LINK) {
                throw new Refused(new Failure.Invalid(path + " is not a symbolic link"));
              }
              return Inodes.target(inode);
            });
  }

  public static Query<byte[]> property(String name) {
    return view ->
        Refused.catching(
            () -> {
              byte[] value = view.get(StoreTree.PROPERTIES, Properties.key(name));
              if (value == null) {
                throw new Refused(new Failure.NotFound("property " + name));
              }
              return value.clone();
            });
  }

  /** Checks early what a put will need. */
  public static Query<Resolution> putTarget(StorePath path, PutOptions options) {
    return view -> Refused.catching(() -> PutCheck.check(new CommittedNames(view), path, options));
  }

  /**
   * The first or next entries of a directory.
   *
   * @param after only names behind this one, in UTF-8; null for the first
   */
  public static Query<Page> page(StorePath directory, byte @Nullable [] after, int limit) {
    return view -> Refused.catching(() -> page(view, directory(view, directory), after, limit));
  }

  /** As {@link #page}, of a directory that is known by its id. */
  public static Query<Page> nextPage(Page before, int limit) {
    return view ->
        Refused.catching(
            () -> {
              Inode directory = directory(view, before.id());
              Seen seen = new Seen(FileInfos.of(before.directory().name(), directory), directory);
              String after = before.nextAfter();
              return page(view, seen, after == null ? null : PutCheck.checkedName(after), limit);
            });
  }

  /** What a name in a directory leads to now, if it still leads to something. */
  public static Query<Optional<FileInfo>> entry(long directory, String name) {
    return view ->
        Refused.catching(
            () -> {
              NameView names = new CommittedNames(view);
              Names.Entry entry = names.entry(directory, PutCheck.checkedName(name));
              return entry == null
                  ? Optional.empty()
                  : Optional.of(FileInfos.of(name, names.inode(entry.id())));
            });
  }

  /** A directory that is to be listed. */
  static Seen directory(View view, StorePath path) {
    Seen seen = see(new CommittedNames(view), path, LinkPolicy.FOLLOW);
    if (seen.inode().kind() != Kind.DIRECTORY) {
      throw new Refused(new Failure.NotADirectory(path.toString()));
    }
    return seen;
  }

  /** One that is being listed, and may have gone away meanwhile. */
  static Inode directory(View view, long id) {
    Inode directory = view.inode(id);
    if (directory == null || directory.links() == 0) {
      throw new Refused(new Failure.NotFound("the directory being listed"));
    }
    return directory;
  }

  private static Page page(View view, Seen seen, byte @Nullable [] after, int limit) {
    long id = seen.inode().id();
    List<String> names = new ArrayList<>();
    View.Scan scan =
        view.from(StoreTree.NAMES, after == null ? Names.idKey(id) : Names.keyAfter(id, after));
    boolean more = false;
    while (scan.next() && Names.isEntryOf(scan.key(), id)) {
      if (names.size() == limit) {
        more = true;
        break;
      }
      names.add(Names.nameIn(scan.key()));
    }
    return new Page(seen.info(), id, names, more ? names.getLast() : null);
  }

  private static Seen see(NameView names, StorePath path, LinkPolicy links) {
    Resolution.Found found = Resolver.find(names, path, links);
    Inode inode = names.inode(found.id());
    String name = path.lastName();
    FileInfo asked = FileInfos.of(name, inode);
    // The name asked for may be that of a link, and only the file's own name tells what it is.
    boolean throughLink = found.hasName() && !found.name().equals(name);
    return throughLink && asked.isFile() && asked.mediaType().equals(MediaTypes.UNKNOWN)
        ? new Seen(asked.withMediaType(FileInfos.of(found.name(), inode).mediaType()), inode)
        : new Seen(asked, inode);
  }
}
