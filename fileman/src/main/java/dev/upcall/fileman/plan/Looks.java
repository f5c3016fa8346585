package dev.upcall.fileman.plan;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.MediaTypes;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.access.TableView;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.config.Compression;
import dev.upcall.config.Dedup;
import dev.upcall.content.Kind;
import dev.upcall.request.Look;
import dev.upcall.request.Resolved;
import dev.upcall.request.TablePage;
import dev.upcall.segment.layout.Inode;
import dev.upcall.txn.Query;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.TableEntries;
import dev.upcall.txn.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The pure queries of the file manager. */
public final class Looks {
  /** The most symbolic links on one way. */
  public static final int MAX_LINKS = Resolver.MAX_LINKS;

  private Looks() {}

  /**
   * What was found under a path.
   *
   * @param info its metadata
   * @param inode the inode of the same state
   * @param led see {@link Resolved#led}
   */
  public record Seen(FileInfo info, Inode inode, List<StorePath> led) {}

  /**
   * Some entries of a directory, those that have not expired.
   *
   * @param id the directory
   * @param nextAfter the last name that was passed when there may be more, else null
   */
  public record Page(
      FileInfo directory, long id, List<FileInfo> entries, @Nullable String nextAfter) {}

  /**
   * The options of new content of a file; empty where nobody says them.
   *
   * @param dedup whether it is looked for
   * @param compression how it is stored
   */
  public record ContentChoice(Optional<Dedup> dedup, Optional<Compression> compression) {
    /** The options in attributes. */
    public static ContentChoice of(Map<String, byte[]> attributes) {
      return new ContentChoice(Dedup.of(attributes), Compression.of(attributes));
    }

    /** With what another one says where this one says nothing. */
    ContentChoice or(ContentChoice other) {
      return new ContentChoice(dedup.or(other::dedup), compression.or(other::compression));
    }
  }

  /** The query that answers a look. */
  @SuppressWarnings("unchecked") // each kind is a look for what its query finds
  public static <R> Query<R> of(Look.OfNames<R> look) {
    Query<?> query =
        switch (look) {
          case Look.Stat stat -> stat(stat.path(), stat.links());
          case Look.Exists exists -> exists(exists.path());
          case Look.Resolve resolve -> resolved(resolve.path(), resolve.links());
          case Look.ListPage list -> Walk.inOneLook(() -> new ListWalk(list, list.limit()));
          case Look.Names names -> Walk.inOneLook(() -> new NameWalk(names));
          case Look.ReadLink link -> readLink(link.path());
          case Look.Property property -> property(property.name());
          case Look.Entry entry -> entry(entry.table(), entry.key());
          case Look.Entries entries -> entries(entries);
          case Look.EntryCount count -> entryCount(count.table());
        };
    return (Query<R>) query;
  }

  /**
   * A look in steps, between which others may run; null for one that is a single step.
   *
   * @param stepEntries how many entries of a directory one step goes over
   */
  @SuppressWarnings("unchecked") // as above
  public static <R> @Nullable Walk<?, R> walk(Look.OfNames<R> look, int stepEntries) {
    Walk<?, ?> walk =
        switch (look) {
          case Look.ListPage list -> new ListWalk(list, stepEntries);
          case Look.Names names -> new NameWalk(names);
          case Look.Stat _,
              Look.Exists _,
              Look.Resolve _,
              Look.ReadLink _,
              Look.Property _,
              Look.Entry _,
              Look.Entries _,
              Look.EntryCount _ ->
              null;
        };
    return (Walk<?, R>) walk;
  }

  public static Query<Seen> at(StorePath path, LinkPolicy links) {
    return view ->
        Refused.catching(
            () ->
                path.isEntry()
                    ? Tables.see(view, path)
                    : see(new CommittedNames(view), path, links));
  }

  /** The file whose content is to be read. */
  public static Query<Inode> content(StorePath path) {
    return view ->
        Refused.catching(
            () -> {
              if (path.isEntry()) {
                return Tables.see(view, path).inode();
              }
              CommittedNames names = new CommittedNames(view);
              Inode inode = names.inode(Resolver.find(names, path, LinkPolicy.FOLLOW).id());
              Tables.checkContent(inode.kind(), path);
              return inode;
            });
  }

  /** Why the content of something cannot be had or changed, as of a file; null for a file's. */
  public static @Nullable Failure noContent(Kind kind, String path) {
    return switch (kind) {
      case FILE, SYMBOLIC_LINK -> null;
      case DIRECTORY -> new Failure.IsADirectory(path);
      case TABLE ->
          new Failure.Invalid(
              path + " is a table, which has no content: read and change its entries");
    };
  }

  private static Query<Boolean> exists(StorePath path) {
    Query<FileInfo> stat = stat(path, LinkPolicy.FOLLOW);
    return view ->
        switch (stat.run(view)) {
          case Completion.Done<FileInfo> _ -> Completion.done(true);
          case Completion.Failed<FileInfo>(Failure.NotFound _) -> Completion.done(false);
          case Completion.Failed<FileInfo>(Failure.NotADirectory _) -> Completion.done(false);
          case Completion.Failed<FileInfo> failed -> failed.cast();
        };
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

  /** The value of a property, if it is set. */
  public static Query<Optional<byte[]>> property(String name) {
    return view ->
        Refused.catching(
            () ->
                Optional.ofNullable(view.get(StoreTree.PROPERTIES, Properties.key(name)))
                    .map(byte[]::clone));
  }

  private static Query<Optional<byte[]>> entry(StorePath path, byte[] key) {
    return view ->
        Refused.catching(
            () ->
                Optional.ofNullable(table(view, path).value(key))
                    .map(value -> Tables.bytes(path, key, value)));
  }

  private static Query<Long> entryCount(StorePath path) {
    return view ->
        Refused.catching(
            () -> {
              long table = Tables.find(new CommittedNames(view), path).id();
              long count = new TableView(view, table).count();
              if (count < 0) {
                throw Tables.uncounted(table);
              }
              return count;
            });
  }

  private static Query<TablePage> entries(Look.Entries look) {
    return view ->
        Refused.catching(
            () -> {
              TableView.Page page =
                  table(view, look.table())
                      .page(
                          Tables.range(look.range()),
                          look.direction() == Listing.Direction.ASCENDING,
                          look.limit(),
                          Look.Entries.PAGE_BYTES);
              List<TablePage.Entry> entries = new ArrayList<>(page.entries().size());
              for (TableView.Entry entry : page.entries()) {
                entries.add(
                    switch (entry.value()) {
                      case TableEntries.Value.Inline(byte[] bytes) ->
                          new TablePage.Entry(entry.key(), bytes);
                      case TableEntries.Value.Content content ->
                          new TablePage.Entry(entry.key(), new byte[0], content.sizeBytes());
                    });
              }
              return new TablePage(entries, page.hasMore());
            });
  }

  private static TableView table(View view, StorePath path) {
    return new TableView(view, Tables.find(new CommittedNames(view), path).id());
  }

  /** Checks early what a put will need, and finds what is said of its content. */
  public static Query<ContentChoice> putTarget(StorePath path, PutOptions options) {
    return view ->
        Refused.catching(
            () -> {
              if (path.isEntry()) {
                return Tables.checkPut(view, path, options);
              }
              CommittedNames names = new CommittedNames(view);
              return PutCheck.choice(names, PutCheck.check(names, path, options), options);
            });
  }

  /**
   * The first or next entries of a directory.
   *
   * @param after only names behind this one, in UTF-8; null for the first
   * @param limit how many names are passed at most
   */
  public static Query<Page> page(StorePath directory, byte @Nullable [] after, int limit) {
    EntryLook look = new EntryLook(limit);
    return view -> Refused.catching(() -> look.page(view, directory(view, directory), after));
  }

  /** As {@link #page}, of a directory that is known by its id. */
  public static Query<Page> nextPage(Page before, int limit) {
    EntryLook look = new EntryLook(limit);
    return view ->
        Refused.catching(
            () -> {
              Inode directory = directory(view, before.id());
              Seen seen =
                  new Seen(
                      FileInfos.of(before.directory().name(), directory), directory, List.of());
              String after = before.nextAfter();
              return look.page(view, seen, after == null ? null : PutCheck.checkedName(after));
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

  private static Query<Resolved> resolved(StorePath path, LinkPolicy links) {
    return view -> Refused.catching(() -> Resolver.resolved(new CommittedNames(view), path, links));
  }

  private static Seen see(NameView names, StorePath path, LinkPolicy links) {
    Resolution.Found found = Resolver.find(names, path, links);
    FileInfo info = info(names, path, found.name(), found.id());
    return new Seen(info, names.inode(found.id()), found.led());
  }

  /**
   * The metadata of what was found under a path.
   *
   * @param own the name that it has there; empty for a directory that was found by none
   */
  static FileInfo info(NameView names, StorePath path, String own, long id) {
    Inode inode = names.inode(id);
    String name = path.lastName();
    FileInfo asked = FileInfos.of(name, inode);
    // The name asked for may be that of a link, and only the file's own name tells what it is.
    boolean throughLink = !own.isEmpty() && !own.equals(name);
    return throughLink && asked.isFile() && asked.mediaType().equals(MediaTypes.UNKNOWN)
        ? asked.withMediaType(FileInfos.of(own, inode).mediaType())
        : asked;
  }
}
