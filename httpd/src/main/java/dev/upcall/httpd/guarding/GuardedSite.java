package dev.upcall.httpd.guarding;

import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.LeaseOwner;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.guard.Right;
import dev.upcall.httpd.LinkTarget;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.SitePage;
import dev.upcall.httpd.SiteSnapshots;
import dev.upcall.httpd.files.Told;
import dev.upcall.request.Resolved;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A site as the caller of one request may see it. A denied path fails as if it were not there,
 * whether it is or not, and the {@link Visit} knows better. The rules hold for the path that was
 * asked for and for each place to which links lead from it, in the very state that is answered.
 * Dispatcher's thread only.
 */
public final class GuardedSite implements Site {
  private final Visit visit;
  private final Site site;
  private final Dispatcher dispatcher;

  /** The directory that is listed, once its caller may; see {@link Resolved#fixed}. */
  private StorePath listed = StorePath.ROOT;

  /** The same directory as it was asked for, and as its own path if links lead there. */
  private List<StorePath> listedAs = List.of();

  /** Whether entries of it may have to be left out. */
  private boolean hides;

  /** A site in front of which the rules stand. */
  public GuardedSite(Visit visit, Site site, Dispatcher dispatcher) {
    this.visit = Objects.requireNonNull(visit, "visit");
    this.site = Objects.requireNonNull(site, "site");
    this.dispatcher = Objects.requireNonNull(dispatcher, "dispatcher");
  }

  @Override
  public void openRead(StorePath path, LeaseOwner owner, CompletionPort<OpenFile> port) {
    boolean reads = visit.may(Right.READ, path);
    if (visit.denies(!reads && !visit.may(Right.LIST, path))) {
      dispatcher.complete(port, missing(path));
      return;
    }
    site.openRead(
        path,
        owner,
        opened -> {
          switch (opened) {
            case Completion.Done<OpenFile>(OpenFile file) ->
                port.complete(judged(path, file, reads, opened));
            case Completion.Failed<OpenFile> _ -> judgeWay(path, reads, opened, port);
          }
        });
  }

  @Override
  public Site neighbours() {
    return new GuardedSite(visit.apart(), site, dispatcher);
  }

  @Override
  public Site rereadable() {
    return new GuardedSite(visit, site.rereadable(), dispatcher);
  }

  private Completion<OpenFile> judged(
      StorePath path, OpenFile file, boolean reads, Completion<OpenFile> opened) {
    boolean may =
        file.content() == null
            ? visit.maySee(file.led())
            : reads && visit.may(Right.READ, file.led());
    if (visit.denies(!may)) {
      file.close();
      return missing(path);
    }
    return opened;
  }

  /** A path that cannot be opened may lead to a place of which its caller may know nothing. */
  private void judgeWay(
      StorePath path, boolean reads, Completion<OpenFile> opened, CompletionPort<OpenFile> port) {
    site.resolve(
        path,
        LinkPolicy.FOLLOW,
        found ->
            port.complete(
                switch (found) {
                  case Completion.Failed<Resolved> failed -> failed.cast();
                  case Completion.Done<Resolved>(Resolved way) ->
                      visit.denies(!reads || !visit.may(Right.READ, way.led()))
                          ? missing(path)
                          : opened;
                }));
  }

  static <T> Completion<T> missing(StorePath path) {
    return Completion.failed(new Failure.NotFound(path.toString()));
  }

  @Override
  public int mostBytesAtOnce() {
    return site.mostBytesAtOnce();
  }

  @Override
  public void list(
      StorePath directory, String afterName, int limit, CompletionPort<SitePage> port) {
    at(directory, port, fixed -> listShown(fixed, afterName, limit, port));
  }

  /** Goes on until there is an entry that may be shown, or no other. */
  private void listShown(StorePath fixed, String after, int limit, CompletionPort<SitePage> port) {
    site.list(
        fixed,
        after,
        limit,
        found -> {
          if (hides && found instanceof Completion.Done<SitePage>(SitePage all)) {
            var shown = all.entries().stream().filter(entry -> isShown(entry.name())).toList();
            if (shown.isEmpty() && all.hasMore()) {
              listShown(fixed, all.nextAfter().orElseThrow(), limit, port);
            } else {
              port.complete(Completion.done(new SitePage(shown, all.nextAfter())));
            }
          } else {
            port.complete(asAsked(found));
          }
        });
  }

  @Override
  public void names(StorePath directory, Listing.Range range, CompletionPort<Listing.Names> port) {
    at(directory, port, fixed -> namesShown(fixed, range, List.of(), port));
  }

  /** Goes on until there are as many as were asked for, or no others. */
  private void namesShown(
      StorePath fixed,
      Listing.Range range,
      List<String> before,
      CompletionPort<Listing.Names> port) {
    site.names(
        fixed,
        new Listing.Range(range.beyond(), range.direction(), range.limit() - before.size()),
        found -> {
          if (hides && found instanceof Completion.Done<Listing.Names>(Listing.Names all)) {
            List<String> shown = new ArrayList<>(before);
            all.names().stream().filter(this::isShown).forEach(shown::add);
            if (shown.size() < range.limit() && all.hasMore() && !all.names().isEmpty()) {
              namesShown(fixed, range.withBeyond(all.names().getLast()), shown, port);
            } else {
              port.complete(Completion.done(new Listing.Names(shown, all.hasMore())));
            }
          } else {
            port.complete(asAsked(found));
          }
        });
  }

  /** Does something at a directory that the caller may list, whatever becomes of the names. */
  private <T> void at(StorePath directory, CompletionPort<T> port, Consumer<StorePath> then) {
    if (!listedAs.isEmpty() && listedAs.getFirst().equals(directory)) {
      then.accept(listed);
      return;
    }
    if (visit.denies(!visit.may(Right.LIST, directory))) {
      dispatcher.complete(port, missing(directory));
      return;
    }
    site.resolve(
        directory,
        LinkPolicy.FOLLOW,
        found -> {
          switch (found) {
            case Completion.Failed<Resolved> failed -> port.complete(failed.cast());
            case Completion.Done<Resolved>(Resolved way) -> {
              if (visit.denies(!visit.may(Right.LIST, way.led()))) {
                port.complete(missing(directory));
              } else {
                lists(directory, way);
                then.accept(listed);
              }
            }
          }
        });
  }

  private void lists(StorePath directory, Resolved way) {
    listed = way.fixed();
    listedAs = way.led().isEmpty() ? List.of(directory) : List.of(directory, way.led().getLast());
    hides = !listedAs.stream().allMatch(visit::isUniformBelow);
  }

  private boolean isShown(String name) {
    return listedAs.stream().allMatch(directory -> visit.mayKnow(directory.child(name)));
  }

  /** A failure about the fixed path, as one about the path that was asked for. */
  private <T> Completion<T> asAsked(Completion<T> found) {
    return Told.of(found, listed, listedAs.getFirst());
  }

  /** Of a link that leads where the caller may see nothing, no more is told than its text. */
  @Override
  public void follow(StorePath link, CompletionPort<LinkTarget> port) {
    site.follow(
        link,
        found ->
            port.complete(
                found.map(
                    target ->
                        visit.maySee(target.led())
                            ? target
                            : new LinkTarget(target.path(), Optional.empty()))));
  }

  @Override
  public void resolve(StorePath path, LinkPolicy links, CompletionPort<Resolved> port) {
    site.resolve(path, links, port);
  }

  @Override
  public Optional<SiteChanges> changes() {
    return site.changes().map(changing -> new GuardedChanges(visit, site, changing));
  }

  @Override
  public Optional<SiteSnapshots> snapshots() {
    return site.snapshots()
        .map(
            moments ->
                (name, port) ->
                    moments.open(name, opened -> port.complete(opened.map(this::guarded))));
  }

  private SiteSnapshots.OpenSnapshot guarded(SiteSnapshots.OpenSnapshot opened) {
    return new SiteSnapshots.OpenSnapshot(
        new GuardedSite(visit, opened.site(), dispatcher), opened.close());
  }
}
