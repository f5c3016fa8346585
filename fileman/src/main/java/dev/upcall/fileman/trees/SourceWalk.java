package dev.upcall.fileman.trees;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.base.HostWords;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.trees.TransferRun.Outcome;
import dev.upcall.fileman.trees.host.ExcludedFiles;
import dev.upcall.fileman.trees.host.HostEntry;
import dev.upcall.fileman.trees.host.HostNames;
import dev.upcall.fileman.trees.host.StoppedException;
import dev.upcall.request.FileRequest;
import dev.upcall.trees.ImportOptions;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks a directory of the host beside what the store holds of it and emits what must change, in an
 * order that can be committed as it comes: a directory before its entries, its times after them.
 * One thread; reads both sides, changes neither.
 */
final class SourceWalk {
  /**
   * What a walk works with.
   *
   * @param source the source's number, see {@link ImportMark}
   * @param excluded files that are never imported
   * @param run what is told of what comes of it
   * @param line where the steps go
   */
  record Setting(
      Upcall store,
      ImportOptions options,
      long source,
      ExcludedFiles excluded,
      TransferRun run,
      StepLine line) {}

  /** Takes the steps in their order; may wait. */
  interface Sink {
    void emit(ImportStep step);
  }

  private final Setting setting;
  private final Upcall store;
  private final TransferRun counts;
  private final Sink sink;
  private final FileReader reader;
  private final GoneEntries gone;
  private final StoreLookAhead ahead;

  /** An entry of a directory of the host. */
  private record Child(String name, Path path) {}

  /**
   * Prepares a walk.
   *
   * @param ahead what lists the store
   */
  SourceWalk(Setting setting, StoreLookAhead ahead, Sink sink) {
    this.ahead = ahead;
    this.setting = setting;
    this.store = setting.store();
    this.counts = setting.run();
    this.sink = sink;
    this.reader = new FileReader(setting);
    this.gone = new GoneEntries(setting, ahead, sink);
  }

  /** Walks the whole source. */
  void run() throws IOException {
    StorePath into = setting.options().into();
    Path source = setting.options().source();
    HostEntry top = HostEntry.of(source);
    entries(source, into.toString(), true);
    MetadataChange change =
        MetadataChange.NONE.withMode(top.permissions()).withModifiedNanos(top.modifiedNanos());
    FileInfo now = store.stat(into);
    if (now.mode() != top.permissions() || now.times().modifiedNanos() != top.modifiedNanos()) {
      emitMetadata(source, into, LinkPolicy.FOLLOW, change);
    }
  }

  /**
   * Goes through one directory.
   *
   * @return whether entries of it come and go, which changes its time in the store
   */
  private boolean entries(Path directory, String storePath, boolean inStore) throws IOException {
    if (inStore) {
      ahead.ask(storePath, "");
    }
    List<Child> children = children(directory);
    StoreEntries existing = new StoreEntries(ahead, storePath, inStore);
    existing.lookAhead();
    boolean changed = false;
    for (Child child : children) {
      String name = child.name();
      if (setting.line().isStopped()) {
        throw new StoppedException();
      }
      for (FileInfo before = existing.before(name);
          before != null;
          before = existing.before(name)) {
        changed |= goneFromSource(storePath, before);
      }
      Path path = child.path();
      setting.run().progress().at(path.toString());
      FileInfo known = existing.named(name);
      if (known != null && known.isDirectory()) {
        existing.lookAhead();
      }
      try {
        changed |= entry(path, child(storePath, name), known);
      } catch (NoSuchFileException vanished) {
        // Removed between listing and looking: the next import sees it gone.
        continue;
      } catch (IOException unreadable) {
        counts.problem(path.toString(), HostWords.of(unreadable));
      }
      setting.run().progress().entry();
    }
    for (FileInfo rest = existing.rest(); rest != null; rest = existing.rest()) {
      changed |= goneFromSource(storePath, rest);
    }
    return changed;
  }

  private boolean goneFromSource(String storePath, FileInfo info) {
    return setting.options().gone() == ImportOptions.Gone.REMOVE
        && gone.remove(child(storePath, info.name()), info);
  }

  /** One entry; returns whether its directory's time in the store changes by it. */
  private boolean entry(Path path, String storePath, @Nullable FileInfo existing)
      throws IOException {
    HostEntry host = HostEntry.of(path);
    if (setting.excluded().hold(host)) {
      counts.excluded(path.toString());
      return false;
    }
    StorePath at;
    switch (StorePath.parse(storePath)) {
      case Completion.Done<StorePath>(StorePath parsed) -> at = parsed;
      case Completion.Failed<StorePath>(Failure failure) -> {
        // A tree that is deeper than a path of the store may be: the rest of it is left out.
        counts.problem(path.toString(), failure.message());
        return false;
      }
    }
    if (existing != null && existing.isTable()) {
      counts.problem(path.toString(), at + " is a table, which stays");
      return false;
    }
    return switch (host.type()) {
      case FILE -> file(path, host, at, existing);
      case DIRECTORY -> directory(path, host, at, existing);
      case SYMBOLIC_LINK -> link(path, host, at, existing);
      case OTHER -> {
        counts.problem(path.toString(), "is " + host.typeName() + ", which a store does not keep");
        yield false;
      }
    };
  }

  private boolean file(Path path, HostEntry host, StorePath at, @Nullable FileInfo existing) {
    ImportMark mark = new ImportMark(setting.source(), host.modifiedNanos(), host.sizeBytes());
    if (existing != null && existing.isFile() && isCurrent(path, host, existing, mark)) {
      setting.run().progress().bytes(host.sizeBytes());
      return false;
    }
    if (existing != null && existing.isDirectory() && !gone.remove(at.toString(), existing)) {
      counts.problem(path.toString(), occupied(at));
      return false;
    }
    if (host.links() > 1) {
      counts.hardLink();
    }
    sink.emit(
        ImportStep.toRead(
            path.toString(),
            Outcome.FILE,
            () -> reader.readBeside(path, host, at),
            () -> reader.readAlone(path, host, at)));
    return existing == null || !existing.isFile();
  }

  /** Whether a file needs no reading; its metadata are brought up to date. */
  private boolean isCurrent(Path path, HostEntry host, FileInfo existing, ImportMark mark) {
    boolean same = mark.describes(existing);
    ImportMark known = ImportMark.of(existing);
    if (!same && known != null && known.equals(mark)) {
      counts.keptChanged(path.toString());
      return true;
    }
    if (!same) {
      return false;
    }
    upToDate(path, host, existing, mark);
    return true;
  }

  private void upToDate(Path path, HostEntry host, FileInfo existing, ImportMark mark) {
    boolean modeDiffers = !existing.isSymbolicLink() && existing.mode() != host.permissions();
    if (modeDiffers || !mark.equals(ImportMark.of(existing))) {
      MetadataChange change =
          MetadataChange.NONE.withAttribute(ImportMark.ATTRIBUTE, mark.encode());
      StorePath target = StorePath.of(child(parentOf(path), existing.name()));
      emitMetadata(
          path,
          target,
          LinkPolicy.NO_FOLLOW,
          modeDiffers ? change.withMode(host.permissions()) : change);
    }
    counts.count(Outcome.UNCHANGED);
  }

  private boolean link(Path path, HostEntry host, StorePath at, @Nullable FileInfo existing)
      throws IOException {
    String target = Files.readSymbolicLink(path).toString();
    if (HostNames.isGarbled(target)) {
      counts.problem(path.toString(), "the link's target is not valid UTF-8");
      return false;
    }
    ImportMark mark = new ImportMark(setting.source(), host.modifiedNanos(), host.sizeBytes());
    if (existing != null
        && existing.isSymbolicLink()
        && mark.describes(existing)
        && store.readLink(at).equals(target)) {
      upToDate(path, host, existing, mark);
      return false;
    }
    if (existing != null && existing.isDirectory() && !gone.remove(at.toString(), existing)) {
      counts.problem(path.toString(), occupied(at));
      return false;
    }
    List<FileRequest> requests = new ArrayList<>();
    if (existing != null && !existing.isDirectory()) {
      requests.add(new FileRequest.Delete(at));
    }
    MetadataChange metadata =
        MetadataChange.NONE
            .withOwner(host.owner())
            .withModifiedNanos(host.modifiedNanos())
            .withAttribute(ImportMark.ATTRIBUTE, mark.encode());
    requests.add(new FileRequest.SymbolicLink(at, target, metadata));
    sink.emit(ImportStep.ready(path.toString(), Outcome.LINK, requests));
    return true;
  }

  private boolean directory(Path path, HostEntry host, StorePath at, @Nullable FileInfo existing)
      throws IOException {
    boolean inStore = existing != null && existing.isDirectory();
    if (!inStore && existing != null && !gone.remove(at.toString(), existing)) {
      counts.problem(
          path.toString(),
          at + " in the store is no directory and was not imported from here; remove it");
      return false;
    }
    ImportMark mark = new ImportMark(setting.source(), 0, 0);
    MetadataChange metadata =
        MetadataChange.NONE.withMode(host.permissions()).withModifiedNanos(host.modifiedNanos());
    if (!inStore) {
      metadata =
          metadata.withOwner(host.owner()).withAttribute(ImportMark.ATTRIBUTE, mark.encode());
      sink.emit(
          ImportStep.ready(
              path.toString(),
              Outcome.DIRECTORY,
              List.of(new FileRequest.CreateDirectory(at, Parents.MUST_EXIST, metadata))));
    } else {
      counts.count(Outcome.UNCHANGED);
    }
    boolean changed = true;
    try {
      changed = entries(path, at.toString(), inStore);
    } catch (IOException unreadable) {
      counts.problem(path.toString(), HostWords.of(unreadable));
    }
    if (changed
        || existing == null
        || existing.mode() != host.permissions()
        || existing.times().modifiedNanos() != host.modifiedNanos()) {
      emitMetadata(path, at, LinkPolicy.NO_FOLLOW, metadata);
    }
    return !inStore;
  }

  private void emitMetadata(Path path, StorePath at, LinkPolicy links, MetadataChange change) {
    sink.emit(
        ImportStep.ready(
            path.toString(),
            Outcome.NOTHING,
            List.of(new FileRequest.SetMetadata(at, links, change))));
  }

  /** The names that a store can keep, in its order; the others are reported. */
  private List<Child> children(Path directory) throws IOException {
    List<Child> children = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      for (Path path : stream) {
        String wrong = HostNames.whatIsWrongWith(path);
        if (wrong == null) {
          children.add(new Child(path.getFileName().toString(), path));
        } else {
          counts.problem(path.toString(), wrong);
        }
      }
    } catch (DirectoryIteratorException broken) {
      throw broken.getCause();
    }
    children.sort((left, right) -> Listing.compareNames(left.name(), right.name()));
    return children;
  }

  /** Where the entries of a host directory lie in the store. */
  private String parentOf(Path path) {
    Path relative = setting.options().source().relativize(path).getParent();
    String into = setting.options().into().toString();
    return relative == null ? into : child(into, relative.toString());
  }

  private static String occupied(StorePath at) {
    return at
        + " in the store is a directory with files that were not imported from here; remove it";
  }

  static String child(String directory, String name) {
    return directory.endsWith("/") ? directory + name : directory + "/" + name;
  }
}
