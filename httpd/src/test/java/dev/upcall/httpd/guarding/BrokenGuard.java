package dev.upcall.httpd.guarding;

import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.LeaseOwner;
import dev.upcall.guard.Access;
import dev.upcall.guard.Caller;
import dev.upcall.guard.Credentials;
import dev.upcall.guard.Right;
import dev.upcall.httpd.LinkTarget;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.SitePage;
import dev.upcall.request.Resolved;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rules, and a site in front of which they stand, that are wrong on purpose. */
final class BrokenGuard {
  /** The ways in which it is wrong. */
  enum Fault {
    /** Where links lead is not judged. */
    LINKS,
    /** Pages show all entries. */
    LISTING,
    /** Beyond links, what is not there is told from what is forbidden. */
    EXISTENCE,
    /** Tokens count for ever. */
    EXPIRY,
    /** Other rules are never in force. */
    RELOAD
  }

  private final Fault fault;

  BrokenGuard(Fault fault) {
    this.fault = fault;
  }

  Access access(Access right) {
    return new Rules(right, fault == Fault.RELOAD ? right.inForce() : null);
  }

  Site site(Site right) {
    return new Files(right);
  }

  private final class Rules implements Access {
    private final Access right;
    private final @Nullable Access first;

    Rules(Access right, @Nullable Access first) {
      this.right = right;
      this.first = first;
    }

    @Override
    public Access inForce() {
      return first == null ? new Rules(right.inForce(), null) : first;
    }

    @Override
    public Optional<Caller> identify(Credentials shown, long epochNanos) {
      return right.identify(shown, fault == Fault.EXPIRY ? 0 : epochNanos);
    }

    @Override
    public boolean decide(Caller caller, Right asked, StorePath path) {
      return right.decide(caller, asked, path);
    }

    @Override
    public boolean isUniformBelow(StorePath directory) {
      return fault == Fault.LISTING || right.isUniformBelow(directory);
    }
  }

  private final class Files implements Site {
    private final Site right;

    Files(Site right) {
      this.right = right;
    }

    @Override
    public void openRead(StorePath path, LeaseOwner owner, CompletionPort<OpenFile> port) {
      right.openRead(
          path,
          owner,
          opened ->
              port.complete(
                  fault == Fault.LINKS
                      ? opened.map(file -> new OpenFile(file.info(), file.content()))
                      : opened));
    }

    @Override
    public void resolve(StorePath path, LinkPolicy links, CompletionPort<Resolved> port) {
      right.resolve(path, links, found -> port.complete(broken(path, found)));
    }

    private Completion<Resolved> broken(StorePath path, Completion<Resolved> found) {
      if (!(found instanceof Completion.Done<Resolved>(Resolved way))) {
        return found;
      }
      return switch (fault) {
        case LINKS -> Completion.done(new Resolved(way.info(), List.of(), way.fixed()));
        case EXISTENCE -> way.info().isEmpty() ? GuardedSite.missing(path) : found;
        case LISTING, EXPIRY, RELOAD -> found;
      };
    }

    @Override
    public void list(StorePath directory, String after, int limit, CompletionPort<SitePage> port) {
      right.list(directory, after, limit, port);
    }

    @Override
    public void names(
        StorePath directory, Listing.Range range, CompletionPort<Listing.Names> port) {
      right.names(directory, range, port);
    }

    @Override
    public void follow(StorePath link, CompletionPort<LinkTarget> port) {
      right.follow(link, port);
    }

    @Override
    public Optional<SiteChanges> changes() {
      return right.changes();
    }
  }
}
