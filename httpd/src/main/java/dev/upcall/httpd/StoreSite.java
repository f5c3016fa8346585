package dev.upcall.httpd;

import dev.upcall.FileReads;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.LeaseOwner;
import dev.upcall.request.Look;
import dev.upcall.request.Resolved;
import java.util.Objects;
import java.util.Optional;

/** Files of a store, read. */
class StoreSite implements Site {
  private final FileReads files;

  StoreSite(FileReads files) {
    this.files = files;
  }

  @Override
  public void openRead(StorePath path, LeaseOwner owner, CompletionPort<OpenFile> port) {
    files.openRead(path, owner, port);
  }

  @Override
  public void list(
      StorePath directory, String afterName, int limit, CompletionPort<SitePage> port) {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(port, "port");
    int asked = ResumableUploads.limit(directory, limit);
    CompletionPort<SitePage> shown =
        page -> port.complete(page.map(all -> ResumableUploads.shown(directory, limit, all)));
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
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(port, "port");
    files.names(
        directory,
        new Listing.Range(
            range.beyond(), range.direction(), ResumableUploads.limit(directory, range.limit())),
        found ->
            port.complete(found.map(all -> ResumableUploads.shown(directory, range.limit(), all))));
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
                files.ask(
                    new Look.Resolve(link, LinkPolicy.FOLLOW),
                    found -> port.complete(led(path, found)));
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
    files.ask(new Look.Resolve(path, links), port);
  }
}
