package dev.upcall.httpd.blocking;

import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.httpd.GeneratedResponse;
import dev.upcall.httpd.LinkTarget;
import dev.upcall.httpd.SitePage;
import java.util.Optional;
import java.util.function.Function;

/** A site of pages; it has no files, and no conversation asks it for any. */
record GeneratedOnlySite(Function<StorePath, Completion<GeneratedResponse>> making)
    implements BlockingSite {
  @Override
  public Optional<Function<StorePath, Completion<GeneratedResponse>>> pages() {
    return Optional.of(making);
  }

  @Override
  public Completion<OpenedFile> open(StorePath path) {
    return none(path);
  }

  @Override
  public Completion<SitePage> list(StorePath directory, String afterName, int limit) {
    return none(directory);
  }

  @Override
  public Completion<Listing.Names> names(StorePath directory, Listing.Range range) {
    return none(directory);
  }

  @Override
  public Completion<LinkTarget> follow(StorePath link) {
    return none(link);
  }

  private static <T> Completion<T> none(StorePath path) {
    return Completion.failed(new Failure.NotFound(path + " of a site without files"));
  }
}
