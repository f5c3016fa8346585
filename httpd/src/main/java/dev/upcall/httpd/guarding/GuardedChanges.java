package dev.upcall.httpd.guarding;

import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.guard.Right;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.files.Told;
import dev.upcall.httpd.files.ToldPut;
import dev.upcall.request.FileRequest;
import dev.upcall.request.Resolved;
import dev.upcall.store.Durability;
import java.util.List;
import java.util.function.Consumer;

/**
 * The writing half of a {@link GuardedSite}. It looks where the path leads, then changes what is
 * there by a path that no link leads elsewhere meanwhile. Dispatcher's thread only.
 */
final class GuardedChanges implements SiteChanges {
  private final Visit visit;
  private final Site site;
  private final SiteChanges changes;
  private StorePath asked = StorePath.ROOT;
  private StorePath fixed = StorePath.ROOT;

  GuardedChanges(Visit visit, Site site, SiteChanges changes) {
    this.visit = visit;
    this.site = site;
    this.changes = changes;
  }

  @Override
  public void put(StorePath path, PutOptions options, CompletionPort<PutHandle> port) {
    at(
        path,
        options.links(),
        port,
        way ->
            changes.put(
                way.fixed(),
                options.withLinks(LinkPolicy.NO_FOLLOW),
                begun -> port.complete(ToldPut.of(begun, way, path))));
  }

  @Override
  public void delete(StorePath path, FileCondition condition, CompletionPort<Unit> port) {
    at(
        path,
        LinkPolicy.NO_FOLLOW,
        port,
        way -> changes.delete(way.fixed(), condition, toldTo(port)));
  }

  @Override
  public void look(StorePath path, CompletionPort<FileInfo> port) {
    at(path, LinkPolicy.NO_FOLLOW, port, way -> changes.look(way.fixed(), toldTo(port)));
  }

  /** Behind a {@link #look} at the same path, which has said whether that may be. */
  @Override
  public void edit(List<FileRequest.Splice> edits, CompletionPort<FileInfo> port) {
    changes.edit(edits.stream().map(this::there).toList(), toldTo(port));
  }

  @Override
  public void place(StorePath path, CompletionPort<Resolved> port) {
    at(path, LinkPolicy.FOLLOW, port, way -> port.complete(Completion.done(way)));
  }

  /** Requests may lead anywhere: who asks for some behind the rules has judged them before. */
  @Override
  public void batch(
      List<FileRequest> requests, Durability durability, CompletionPort<FileInfo> port) {
    throw new IllegalStateException("a batch is not judged here");
  }

  private FileRequest.Splice there(FileRequest.Splice edit) {
    return new FileRequest.Splice(
        fixed, edit.offset(), edit.removed(), edit.bytes(), edit.condition());
  }

  private <T> void at(
      StorePath path, LinkPolicy links, CompletionPort<T> port, Consumer<Resolved> then) {
    site.resolve(
        path,
        links,
        found -> {
          switch (found) {
            case Completion.Failed<Resolved> failed -> port.complete(failed.cast());
            case Completion.Done<Resolved>(Resolved way) -> {
              if (visit.denies(
                  !visit.may(Right.WRITE, path) || !visit.may(Right.WRITE, way.led()))) {
                port.complete(GuardedSite.missing(path));
              } else {
                asked = path;
                fixed = way.fixed();
                then.accept(way);
              }
            }
          }
        });
  }

  private <T> CompletionPort<T> toldTo(CompletionPort<T> port) {
    return done -> port.complete(told(done));
  }

  private <T> Completion<T> told(Completion<T> done) {
    return Told.of(done, fixed, asked);
  }
}
