package dev.upcall.httpd;

import dev.upcall.FileManager;
import dev.upcall.FileSnapshot;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import java.util.Objects;

/** The moments of a {@link Site} that have names. */
public interface SiteSnapshots {
  /** Opens one; {@code NotFound} when there is none of that name. */
  void open(String name, CompletionPort<OpenSnapshot> port);

  /**
   * A site as it was.
   *
   * @param site how it is read
   * @param close run when nobody reads in it any more
   */
  record OpenSnapshot(Site site, Runnable close) {
    /** Checks that nothing is missing. */
    public OpenSnapshot {
      Objects.requireNonNull(site, "site");
      Objects.requireNonNull(close, "close");
    }
  }

  /** The named snapshots of a store. */
  static SiteSnapshots of(FileManager files) {
    Objects.requireNonNull(files, "files");
    return (name, port) -> {
      Objects.requireNonNull(port, "port");
      files.snapshot(
          name,
          completion ->
              port.complete(
                  switch (completion) {
                    case Completion.Failed<FileSnapshot> failed -> failed.cast();
                    case Completion.Done<FileSnapshot>(FileSnapshot opened) ->
                        Completion.done(new OpenSnapshot(Site.ofReads(opened), opened::close));
                  }));
    };
  }
}
