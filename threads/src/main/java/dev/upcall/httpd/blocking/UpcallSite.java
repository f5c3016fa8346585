package dev.upcall.httpd.blocking;

import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.httpd.LinkTarget;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.SitePage;
import dev.upcall.httpd.files.HiddenUploads;
import dev.upcall.httpd.files.Told;
import dev.upcall.httpd.files.ToldPut;
import dev.upcall.request.FileRequest;
import dev.upcall.request.Resolved;
import dev.upcall.trees.Trees;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The files of a store of any engine, through its blocking facade. Unfinished uploads of a server
 * that took such are found by no link and in no page: a change goes where the links have led that
 * were looked at, whatever becomes of them meanwhile, and a file is opened only if it is the one
 * that was found there.
 */
record UpcallSite(Upcall store) implements BlockingSite, BlockingSite.Changes {
  @Override
  public Completion<OpenedFile> open(StorePath path) {
    return at(path, LinkPolicy.FOLLOW, way -> opened(path, way));
  }

  private OpenedFile opened(StorePath path, Resolved way) {
    Upcall.ReadStream stream = store.read(path);
    long id = stream.info().id();
    if (way.info().filter(found -> found.id() == id).isPresent()) {
      return new Stream(stream);
    }
    stream.close(); // there is something else by now, a link perhaps
    return UpcallException.value(open(path));
  }

  @Override
  public Completion<SitePage> list(StorePath directory, String afterName, int limit) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(afterName, "afterName");
    return at(
        directory,
        LinkPolicy.FOLLOW,
        way -> {
          StorePath itself = HiddenUploads.itself(directory, way);
          List<String> unreadable = new ArrayList<>();
          Listing page =
              Trees.list(
                  store,
                  itself,
                  afterName,
                  HiddenUploads.limit(itself, limit),
                  (path, why) -> unreadable.add(path.lastName()));
          return HiddenUploads.shown(itself, limit, SitePage.of(page, unreadable));
        });
  }

  @Override
  public Completion<Listing.Names> names(StorePath directory, Listing.Range range) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(range, "range");
    return at(
        directory,
        LinkPolicy.FOLLOW,
        way -> {
          StorePath itself = way.fixed();
          Listing.Range asked =
              new Listing.Range(
                  range.beyond(), range.direction(), HiddenUploads.limit(itself, range.limit()));
          return HiddenUploads.shown(itself, range.limit(), store.names(itself, asked));
        });
  }

  @Override
  public Completion<LinkTarget> follow(StorePath link) {
    Objects.requireNonNull(link, "link");
    return switch (outcome(() -> store.readLink(link))) {
      case Completion.Failed<String> gone -> gone.cast();
      case Completion.Done<String>(String target) ->
          Completion.done(
              at(link, LinkPolicy.FOLLOW, way -> way)
                      instanceof Completion.Done<Resolved>(Resolved end)
                  ? new LinkTarget(target, end.info(), end.led())
                  : new LinkTarget(target, Optional.empty()));
    };
  }

  @Override
  public Optional<Changes> changes() {
    return Optional.of(this);
  }

  @Override
  public Completion<NewFile> put(StorePath path, PutOptions options) {
    Objects.requireNonNull(options, "options");
    return at(
        path,
        options.links(),
        way -> {
          if (ToldPut.isRefused(way, path)) {
            store.stat(path); // says why, unless it has changed
            return UpcallException.value(put(path, options));
          }
          PutOptions there = options.withLinks(LinkPolicy.NO_FOLLOW);
          return new Put(store.put(way.fixed(), there), way.fixed(), path);
        });
  }

  @Override
  public Completion<Unit> delete(StorePath path, FileCondition condition) {
    return at(
        path,
        LinkPolicy.NO_FOLLOW,
        way -> {
          store.delete(way.fixed(), condition);
          return Unit.UNIT;
        });
  }

  @Override
  public Completion<FileInfo> look(StorePath path) {
    return at(
        path,
        LinkPolicy.NO_FOLLOW,
        way -> way.info().orElseGet(() -> store.stat(way.fixed(), LinkPolicy.NO_FOLLOW)));
  }

  @Override
  public Completion<FileInfo> edit(List<FileRequest.Splice> edits) {
    List<FileRequest.Splice> all =
        Objects.requireNonNull(edits, "edits").stream()
            .map(edit -> Objects.requireNonNull(edit, "one of edits"))
            .toList();
    return all.isEmpty()
        ? Completion.failed(SiteChanges.NO_EDITS)
        : at(
            all.getFirst().path(),
            LinkPolicy.NO_FOLLOW,
            way ->
                store
                    .batch(all.stream().map(edit -> moved(edit, way.fixed())).toList())
                    .files()
                    .getLast()
                    .orElseThrow());
  }

  private static FileRequest moved(FileRequest.Splice edit, StorePath fixed) {
    return new FileRequest.Splice(
        fixed, edit.offset(), edit.removed(), edit.bytes(), edit.condition());
  }

  /** Does something where a path leads, unless links lead to unfinished uploads. */
  private <T> Completion<T> at(
      StorePath path, LinkPolicy links, Function<Resolved, ? extends T> then) {
    Completion<Resolved> found = outcome(() -> store.resolve(path, links));
    return HiddenUploads.outside(path, found)
        .flatMap(way -> Told.of(outcome(() -> then.apply(way)), way.fixed(), path));
  }

  private static <T> Completion<T> outcome(Supplier<? extends T> call) {
    try {
      return Completion.done(call.get());
    } catch (UpcallException failed) {
      return Completion.failed(failed.failure());
    }
  }

  private record Stream(Upcall.ReadStream stream) implements OpenedFile {
    @Override
    public FileInfo info() {
      return stream.info();
    }

    @Override
    public Completion<ContentSlice> slice(long offset, int maxBytes) {
      return outcome(() -> stream.slice(offset, maxBytes));
    }

    @Override
    public void close() {
      stream.close();
    }
  }

  private record Put(Upcall.PutStream stream, StorePath fixed, StorePath asked) implements NewFile {
    @Override
    public Completion<Unit> append(ByteBuffer bytes) {
      Objects.requireNonNull(bytes, "bytes");
      return told(
          () -> {
            if (bytes.hasArray()) {
              int from = bytes.arrayOffset() + bytes.position();
              stream.write(bytes.array(), from, bytes.remaining());
            } else {
              byte[] copy = new byte[bytes.remaining()];
              bytes.get(copy);
              stream.write(copy, 0, copy.length);
            }
            return Unit.UNIT;
          });
    }

    @Override
    public Completion<FileInfo> commit() {
      return told(stream::commit);
    }

    private <T> Completion<T> told(Supplier<? extends T> call) {
      return Told.of(outcome(call), fixed, asked);
    }

    @Override
    public void close() {
      stream.close();
    }
  }
}
