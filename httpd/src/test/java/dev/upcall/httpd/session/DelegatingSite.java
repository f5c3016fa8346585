package dev.upcall.httpd.session;

import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.LeaseOwner;
import dev.upcall.httpd.LinkTarget;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.SitePage;
import dev.upcall.request.Resolved;
import java.util.Optional;

/** A site that reads as one and writes as another. */
record DelegatingSite(Site reading, Optional<SiteChanges> changes) implements Site {
  @Override
  public void openRead(StorePath path, LeaseOwner owner, CompletionPort<OpenFile> port) {
    reading.openRead(path, owner, port);
  }

  @Override
  public void list(StorePath directory, String after, int limit, CompletionPort<SitePage> port) {
    reading.list(directory, after, limit, port);
  }

  @Override
  public void names(StorePath directory, Listing.Range range, CompletionPort<Listing.Names> port) {
    reading.names(directory, range, port);
  }

  @Override
  public void resolve(StorePath path, LinkPolicy links, CompletionPort<Resolved> port) {
    reading.resolve(path, links, port);
  }

  @Override
  public void follow(StorePath link, CompletionPort<LinkTarget> port) {
    reading.follow(link, port);
  }
}
