package dev.upcall.httpd;

import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.LeaseOwner;
import dev.upcall.request.Resolved;
import java.util.Optional;

/** A site of pages; it has no files, and no session asks it for any. */
record GeneratedSite(ResponseGenerator making) implements Site {
  private static final String NO_FILES = "a site of pages was asked for a file";

  @Override
  public Optional<ResponseGenerator> pages() {
    return Optional.of(making);
  }

  @Override
  public void openRead(StorePath path, LeaseOwner owner, CompletionPort<OpenFile> port) {
    Invariants.check(false, NO_FILES, path);
  }

  @Override
  public void list(
      StorePath directory, String afterName, int limit, CompletionPort<SitePage> port) {
    Invariants.check(false, NO_FILES, directory);
  }

  @Override
  public void names(StorePath directory, Listing.Range range, CompletionPort<Listing.Names> port) {
    Invariants.check(false, NO_FILES, directory);
  }

  @Override
  public void follow(StorePath path, CompletionPort<LinkTarget> port) {
    Invariants.check(false, NO_FILES, path);
  }

  @Override
  public void resolve(StorePath path, LinkPolicy links, CompletionPort<Resolved> port) {
    Invariants.check(false, NO_FILES, path);
  }
}
