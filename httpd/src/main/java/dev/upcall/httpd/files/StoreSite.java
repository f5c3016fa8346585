package dev.upcall.httpd.files;

import dev.upcall.FileReads;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.LeaseOwner;
import dev.upcall.httpd.LinkTarget;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.SitePage;
import dev.upcall.request.Look;
import dev.upcall.request.Resolved;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Files of a store, read. Unfinished uploads are found by their own paths, which clients do not get
 * to, and by no link.
 */
public class StoreSite implements Site {
  private final FileReads files;

  /** All that a store, or a moment of it, has. */
  public StoreSite(FileReads files) {
    this.files = Objects.requireNonNull(files, "files");
  }

  @Override
  public void openRead(StorePath path, LeaseOwner owner, CompletionPort<OpenFile> port) {
    Objects.requireNonNull(port, "port");
    files.openRead(path, owner, opened -> port.complete(opened(path, opened)));
  }

  /** The file that was opened, unless links have led to unfinished uploads. */
  public static Completion<OpenFile> opened(StorePath path, Completion<OpenFile> opened) {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(opened, "opened");
    if (opened instanceof Completion.Done<OpenFile>(OpenFile file)
        && HiddenUploads.isAmong(file.led())) {
      file.close();
      return HiddenUploads.missing(path);
    }
    return opened;
  }

  @Override
  public void list(
      StorePath directory, String afterName, int limit, CompletionPort<SitePage> port) {
    Objects.requireNonNull(afterName, "afterName");
    at(directory, port, itself -> listItself(itself, afterName, limit, port));
  }

  private void listItself(
      StorePath directory, String afterName, int limit, CompletionPort<SitePage> port) {
    int asked = HiddenUploads.limit(directory, limit);
    CompletionPort<SitePage> shown =
        page -> port.complete(page.map(all -> HiddenUploads.shown(directory, limit, all)));
    files.list(
        directory,
        afterName,
        asked,
        CompletionPort.of(
            page -> shown.complete(Completion.done(SitePage.of(page))),
            why -> {
              if (NameByName.isDamage(why)) {
                NameByName.list(files, directory, afterName, asked, shown);
              } else {
                shown.complete(Completion.failed(why));
              }
            }));
  }

  @Override
  public void names(StorePath directory, Listing.Range range, CompletionPort<Listing.Names> port) {
    Objects.requireNonNull(range, "range");
    at(directory, port, itself -> namesItself(itself, range, port));
  }

  private void namesItself(
      StorePath directory, Listing.Range range, CompletionPort<Listing.Names> port) {
    files.names(
        directory,
        new Listing.Range(
            range.beyond(), range.direction(), HiddenUploads.limit(directory, range.limit())),
        found ->
            port.complete(found.map(all -> HiddenUploads.shown(directory, range.limit(), all))));
  }

  /** Goes on with the path of a directory that no link is on, where one leads there. */
  private <T> void at(StorePath directory, CompletionPort<T> port, Consumer<StorePath> then) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(port, "port");
    if (directory.isRoot()) {
      then.accept(directory);
      return;
    }
    resolve(
        directory,
        LinkPolicy.FOLLOW,
        found -> {
          switch (found) {
            case Completion.Failed<Resolved> failed -> port.complete(failed.cast());
            case Completion.Done<Resolved>(Resolved way) ->
                then.accept(HiddenUploads.itself(directory, way));
          }
        });
  }

  @Override
  public void follow(StorePath link, CompletionPort<LinkTarget> port) {
    Objects.requireNonNull(link, "link");
    Objects.requireNonNull(port, "port");
    files.readLink(
        link,
        target -> {
          switch (target) {
            case Completion.Failed<String> gone -> port.complete(gone.cast());
            case Completion.Done<String>(String path) ->
                resolve(link, LinkPolicy.FOLLOW, found -> port.complete(led(path, found)));
          }
        });
  }

  private Completion<LinkTarget> led(String path, Completion<Resolved> found) {
    return Completion.done(
        found instanceof Completion.Done<Resolved>(Resolved end)
            ? new LinkTarget(path, end.info(), end.led())
            : new LinkTarget(path, Optional.empty()));
  }

  @Override
  public void resolve(StorePath path, LinkPolicy links, CompletionPort<Resolved> port) {
    Objects.requireNonNull(port, "port");
    files.ask(
        new Look.Resolve(path, links), found -> port.complete(HiddenUploads.outside(path, found)));
  }
}
