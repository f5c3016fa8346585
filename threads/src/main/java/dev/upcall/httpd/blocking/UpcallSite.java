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
import dev.upcall.httpd.ResumableUploads;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.SitePage;
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
 * that took such are found by no link and in no page.
 */
record UpcallSite(Upcall store) implements BlockingSite, BlockingSite.Changes {
  @Override
  public Completion<OpenedFile> open(StorePath path) {
    return at(path, LinkPolicy.FOLLOW, _ -> new Stream(store.read(path)));
  }

  @Override
  public Completion<SitePage> list(StorePath directory, String afterName, int limit) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(afterName, "afterName");
    return at(
        directory,
        LinkPolicy.FOLLOW,
        way -> {
          StorePath itself = ResumableUploads.itself(directory, way);
          List<String> unreadable = new ArrayList<>();
          Listing page =
              Trees.list(
                  store,
                  itself,
                  afterName,
                  ResumableUploads.limit(itself, limit),
                  (path, why) -> unreadable.add(path.lastName()));
          return ResumableUploads.shown(itself, limit, SitePage.of(page, unreadable));
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
          StorePath itself = ResumableUploads.itself(directory, way);
          Listing.Range asked =
              new Listing.Range(
                  range.beyond(), range.direction(), ResumableUploads.limit(itself, range.limit()));
          return ResumableUploads.shown(itself, range.limit(), store.names(itself, asked));
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
    return at(path, options.links(), _ -> new Put(store.put(path, options)));
  }

  @Override
  public Completion<Unit> delete(StorePath path, FileCondition condition) {
    return at(
        path,
        LinkPolicy.NO_FOLLOW,
        _ -> {
          store.delete(path, condition);
          return Unit.UNIT;
        });
  }

  @Override
  public Completion<FileInfo> look(StorePath path) {
    return at(path, LinkPolicy.NO_FOLLOW, _ -> store.stat(path, LinkPolicy.NO_FOLLOW));
  }

  @Override
  public Completion<FileInfo> edit(List<FileRequest.Splice> edits) {
    List<FileRequest> all = SiteChanges.copy(edits);
    return all.isEmpty()
        ? Completion.failed(SiteChanges.NO_EDITS)
        : at(
            edits.getFirst().path(),
            LinkPolicy.NO_FOLLOW,
            _ -> store.batch(all).files().getLast().orElseThrow());
  }

  /** Does something with a path, unless links lead to unfinished uploads. */
  private <T> Completion<T> at(
      StorePath path, LinkPolicy links, Function<Resolved, ? extends T> then) {
    return outcome(() -> store.resolve(path, links))
        .<Resolved>flatMap(way -> ResumableUploads.outside(path, Completion.done(way)))
        .flatMap(way -> outcome(() -> then.apply(way)));
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

  private record Put(Upcall.PutStream stream) implements NewFile {
    @Override
    public Completion<Unit> append(ByteBuffer bytes) {
      Objects.requireNonNull(bytes, "bytes");
      return outcome(
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
      return outcome(stream::commit);
    }

    @Override
    public void close() {
      stream.close();
    }
  }
}
