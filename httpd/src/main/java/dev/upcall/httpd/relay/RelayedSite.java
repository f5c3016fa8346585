package dev.upcall.httpd.relay;

import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.LinkTarget;
import dev.upcall.httpd.ResponseGenerator;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.SitePage;
import dev.upcall.httpd.SiteSnapshots;
import dev.upcall.request.Resolved;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;

/**
 * A site that lives on another dispatcher. An opened file brings its first slice along if that is
 * in memory, and one that is all in that slice is closed before it gets here: so a small file costs
 * one message there and one back. Of a larger one many slices are asked for as one.
 *
 * <p>Such slices are leased before the session that asks has room for them ({@code LeaseBudget}),
 * so there is a bounded number of them; who finds none left opens without.
 *
 * <p>Methods are called on the asking dispatcher's thread. A small file in memory is copied there,
 * over what the site's store has published, and nobody is asked.
 */
public final class RelayedSite implements Site {
  /** What a store gives in one slice at most. */
  private static final int MOST_BYTES_AT_ONCE = 1 << 20;

  private final Relay relay;
  private final Site site;
  private final FirstSlices firstSlices;
  private final boolean leads; // whether first slices come with their files, to be read once
  private final Optional<SiteChanges> changes;
  private final Optional<SiteSnapshots> snapshots;
  private final Optional<ResponseGenerator> pages;

  /**
   * In front of a site.
   *
   * @param relay to its dispatcher
   * @param firstSlices how many of at most {@link HttpConfig#SLICE_BYTES} may be leased that no
   *     session has room for yet
   */
  public RelayedSite(Relay relay, Site site, int firstSlices) {
    this(
        Objects.requireNonNull(relay, "relay"),
        Objects.requireNonNull(site, "site"),
        new FirstSlices(firstSlices),
        /* leads= */ true);
  }

  private RelayedSite(Relay relay, Site site, FirstSlices firstSlices, boolean leads) {
    this.leads = leads;
    this.relay = relay;
    this.site = site;
    this.firstSlices = firstSlices;
    this.changes = site.changes().map(changing -> new RelayedChanges(relay, changing));
    this.snapshots = site.snapshots().map(this::relayed);
    this.pages =
        site.pages()
            .map(making -> (path, port) -> relay.ask(answer -> making.answer(path, answer), port));
  }

  private SiteSnapshots relayed(SiteSnapshots moments) {
    return (name, port) ->
        relay.ask(
            answer ->
                moments.open(name, opened -> answer.complete(opened.map(this::relayedSnapshot))),
            port);
  }

  /** At home; what is made is used by the asker. */
  private SiteSnapshots.OpenSnapshot relayedSnapshot(SiteSnapshots.OpenSnapshot opened) {
    return new SiteSnapshots.OpenSnapshot(
        new RelayedSite(relay, opened.site(), firstSlices, leads),
        () -> relay.tell(opened.close()));
  }

  @Override
  public void openRead(StorePath path, LeaseOwner owner, CompletionPort<OpenFile> port) {
    boolean mayLead = leads && firstSlices.take();
    if (mayLead) {
      ByteBuffer memory = firstSlices.memory();
      Completion<OpenFile> copied = site.openCopy(path, memory);
      if (copied != null) {
        relay.complete(port, held(copied, memory));
        return;
      }
      firstSlices.spare(memory);
    }
    CompletionPort<OpenFile> here = mayLead ? opened -> port.complete(withPlace(opened)) : port;
    relay.<OpenFile>ask(
        answer -> {
          site.wantCopies();
          site.openRead(
              path, owner, opened -> answer.complete(opened.map(file -> brought(file, mayLead))));
        },
        here);
  }

  @Override
  public Site rereadable() {
    return new RelayedSite(relay, site, firstSlices, /* leads= */ false);
  }

  @Override
  public int mostBytesAtOnce() {
    return MOST_BYTES_AT_ONCE;
  }

  /** A copy keeps its place until it was sent; a failure needs none. */
  private Completion<OpenFile> held(Completion<OpenFile> copied, ByteBuffer memory) {
    if (copied instanceof Completion.Done<OpenFile>(OpenFile file) && file.content() != null) {
      return Completion.done(
          new OpenFile(
              file.info(), new CopyInPlace(file.content(), memory, firstSlices), file.led()));
    }
    firstSlices.spare(memory);
    firstSlices.give();
    return copied;
  }

  /** At home: the file as its asker gets it. */
  private OpenFile brought(OpenFile file, boolean mayLead) {
    if (file.content() == null) {
      return file;
    }
    long size = file.info().sizeBytes();
    ContentSlice first =
        mayLead && size > 0
            ? file.content().tryRead(0, (int) Math.min(size, HttpConfig.SLICE_BYTES))
            : null;
    boolean whole = size == 0 || (first != null && first.sizeBytes() == size);
    if (whole) {
      file.close();
    }
    return new OpenFile(
        file.info(),
        new RelayedContent(relay, file.content(), whole, first, firstSlices),
        file.led());
  }

  /** Gives the place of a first slice back if none has come. */
  private Completion<OpenFile> withPlace(Completion<OpenFile> opened) {
    boolean leads =
        opened instanceof Completion.Done<OpenFile>(OpenFile file)
            && file.content() instanceof RelayedContent content
            && content.hasFirst();
    if (!leads) {
      firstSlices.give();
    }
    return opened;
  }

  @Override
  public void list(
      StorePath directory, String afterName, int limit, CompletionPort<SitePage> port) {
    relay.ask(answer -> site.list(directory, afterName, limit, answer), port);
  }

  @Override
  public void names(StorePath directory, Listing.Range range, CompletionPort<Listing.Names> port) {
    relay.ask(answer -> site.names(directory, range, answer), port);
  }

  @Override
  public void resolve(StorePath path, LinkPolicy links, CompletionPort<Resolved> port) {
    relay.ask(answer -> site.resolve(path, links, answer), port);
  }

  @Override
  public void follow(StorePath link, CompletionPort<LinkTarget> port) {
    relay.ask(answer -> site.follow(link, answer), port);
  }

  @Override
  public Optional<SiteChanges> changes() {
    return changes;
  }

  @Override
  public Optional<SiteSnapshots> snapshots() {
    return snapshots;
  }

  @Override
  public Optional<ResponseGenerator> pages() {
    return pages;
  }
}
