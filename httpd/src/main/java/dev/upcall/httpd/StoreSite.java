package dev.upcall.httpd;

import dev.upcall.FileInfo;
import dev.upcall.FileReads;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.LeaseOwner;
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
  public void list(StorePath directory, String afterName, int limit, CompletionPort<Listing> port) {
    files.list(directory, afterName, limit, port);
  }

  @Override
  public void names(StorePath directory, Listing.Range range, CompletionPort<Listing.Names> port) {
    files.names(directory, range, port);
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
                files.stat(link, LinkPolicy.FOLLOW, found -> port.complete(led(path, found)));
          }
        });
  }

  private Completion<LinkTarget> led(String path, Completion<FileInfo> found) {
    return Completion.done(
        new LinkTarget(
            path,
            found instanceof Completion.Done<FileInfo>(FileInfo info)
                ? Optional.of(info)
                : Optional.empty()));
  }
}
