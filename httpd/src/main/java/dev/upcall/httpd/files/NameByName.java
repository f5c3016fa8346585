package dev.upcall.httpd.files;

import dev.upcall.FileInfo;
import dev.upcall.FileReads;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.httpd.SitePage;
import dev.upcall.request.Look;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A page of a directory that cannot be listed as one because the volume is damaged: each of its
 * names is looked at alone. Dispatcher's thread only.
 */
final class NameByName {
  private final FileReads files;
  private final StorePath directory;
  private final CompletionPort<SitePage> port;
  private final List<SitePage.Entry> entries = new ArrayList<>();

  private NameByName(FileReads files, StorePath directory, CompletionPort<SitePage> port) {
    this.files = files;
    this.directory = directory;
    this.port = port;
  }

  /** Lists so; fails as a listing does where the names themselves cannot be read. */
  static void list(
      FileReads files,
      StorePath directory,
      String afterName,
      int limit,
      CompletionPort<SitePage> port) {
    NameByName run = new NameByName(files, directory, port);
    Optional<String> beyond = Optional.of(afterName).filter(name -> !name.isEmpty());
    files.names(
        directory,
        new Listing.Range(beyond, Listing.Direction.ASCENDING, limit),
        port.then(names -> run.look(names, 0)));
  }

  /** Whether a failure says that something on the volume cannot be read. */
  static boolean isDamage(Failure failure) {
    return failure instanceof Failure.Corrupt || failure instanceof Failure.Device;
  }

  private void look(Listing.Names names, int at) {
    if (at == names.names().size()) {
      Optional<String> next =
          names.hasMore() ? Optional.of(names.names().getLast()) : Optional.empty();
      port.complete(Completion.done(new SitePage(entries, next)));
      return;
    }
    String name = names.names().get(at);
    files.ask(
        new Look.Stat(directory.child(name), LinkPolicy.NO_FOLLOW),
        found -> {
          switch (found) {
            case Completion.Done<FileInfo>(FileInfo info) -> entries.add(SitePage.Entry.of(info));
            case Completion.Failed<FileInfo>(Failure why) when isDamage(why) ->
                entries.add(new SitePage.Entry(name, Optional.empty()));
            case Completion.Failed<FileInfo>(Failure.NotFound _) -> {} // gone since
            case Completion.Failed<FileInfo> failed -> {
              port.complete(failed.cast());
              return;
            }
          }
          look(names, at + 1);
        });
  }
}
