package dev.upcall.httpd.listing;

import dev.upcall.FileInfo;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.LinkTarget;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.SitePage;
import dev.upcall.httpd.message.Request;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One page of a directory under way: asked from the store and sent piece by piece, so that a page
 * of any size costs the memory of one piece; but for one that is sorted here, see {@link
 * #heldBytes}. Whoever sends it gives it what it asks for until there is a piece, or a refusal.
 */
public final class ListingResponse {
  /** What a piece of common names takes; one of long names takes several times as much. */
  public static final int TYPICAL_PIECE_BYTES = 8 << 10;

  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final int CHUNK_HEAD_BYTES = 10;
  private static final byte[] CHUNK_END = {'\r', '\n'};
  private static final byte[] LAST_CHUNK = {'0', '\r', '\n', '\r', '\n'};

  private final StorePath directory;
  private final ListingQuery query;
  private final ListingFormat format;
  private final boolean chunked;

  /** Of the entries of the directory; null when nobody wants to know it. */
  private final @Nullable EntryCount count;

  private final PageEntries entries;
  private int sentEntries;
  private @Nullable List<SitePage.Entry> piece;
  private final List<@Nullable LinkTarget> links = new ArrayList<>();
  private boolean begun;
  private boolean ended;

  /**
   * The page that a request asks for, or null when its query cannot be read.
   *
   * @param usualEntries of a page when the client says nothing
   */
  public static @Nullable ListingResponse of(StorePath directory, Request asked, int usualEntries) {
    ListingQuery query = ListingQuery.of(asked, usualEntries);
    return query == null ? null : new ListingResponse(directory, query, asked.http11());
  }

  private ListingResponse(StorePath directory, ListingQuery query, boolean chunked) {
    this.directory = directory;
    this.query = query;
    this.format = ListingFormat.of(query);
    this.chunked = chunked;
    boolean sorted = !query.order().isByName();
    // Who goes on through pages is not told again and again.
    boolean counts = sorted || !query.json() || query.cursor() == null;
    int bound = sorted ? HttpConfig.MAX_LISTING_ENTRIES + 1 : EntryCount.MAX_COUNTED;
    this.count = counts ? new EntryCount(bound) : null;
    this.entries = PageEntries.of(query);
  }

  /** What was asked for. */
  public ListingQuery query() {
    return query;
  }

  /** What it is about. */
  public StorePath directory() {
    return directory;
  }

  /** What it needs next; not asked while there is a piece, and not at the end. */
  public ListingAsk ask() {
    ListingAsk counting = count == null ? null : count.ask();
    return counting == null ? entries.ask() : counting;
  }

  /** Why there will be no page, or null; known before the first piece. */
  public @Nullable Refusal refusal() {
    boolean refused =
        !query.order().isByName()
            && count != null
            && count.total() > HttpConfig.MAX_LISTING_ENTRIES;
    return refused ? Refusal.TOO_MANY_TO_SORT : null;
  }

  /**
   * Bytes that it holds until it is sent, beside a piece, and for which the server must have room
   * before it asks.
   */
  public int heldBytes() {
    return entries.heldBytes();
  }

  /** Whether a piece has come and was not rendered. */
  public boolean hasPiece() {
    return piece != null;
  }

  /** Whether the first piece was rendered, so that the status can no longer change. */
  public boolean begun() {
    return begun;
  }

  /** Whether the page is complete. */
  public boolean ended() {
    return ended;
  }

  /** Takes names that have come. */
  public void arrived(Listing.Names names) {
    if (count != null && count.ask() != null) {
      count.take(names);
    } else {
      entries.take(names);
    }
  }

  /** Takes entries that have come. */
  public void arrived(SitePage page) {
    piece = entries.take(page);
    links.clear();
  }

  /** The next symbolic link of the piece whose target is wanted, or null. */
  public @Nullable StorePath nextLink() {
    List<SitePage.Entry> shown = present();
    while (links.size() < shown.size()) {
      SitePage.Entry entry = shown.get(links.size());
      if (entry.info().filter(FileInfo::isSymbolicLink).isPresent()) {
        return directory.child(entry.name());
      }
      links.add(null);
    }
    return null;
  }

  /** Takes the target of the link last asked for. */
  public void followed(LinkTarget target) {
    links.add(target);
  }

  /** Renders the piece that has come, with head and foot where they belong. */
  public ByteBuf render(IntFunction<ByteBuf> buffers) {
    List<SitePage.Entry> shown = present();
    piece = null;
    StringBuilder text = new StringBuilder(8192);
    if (!begun) {
      format.head(text, directory.toString(), count, entries.previous());
      begun = true;
    }
    for (int i = 0; i < links.size(); i++) {
      format.entry(text, sentEntries == 0, shown.get(i), links.get(i));
      sentEntries++;
    }
    ended = entries.isEnded();
    if (ended) {
      format.foot(text, sentEntries, entries.previous(), entries.next());
    }
    return framed(text.toString().getBytes(StandardCharsets.UTF_8), buffers);
  }

  private List<SitePage.Entry> present() {
    return Invariants.present(piece, "a piece of a page");
  }

  private ByteBuf framed(byte[] body, IntFunction<ByteBuf> buffers) {
    if (!chunked) {
      return buffers.apply(body.length).writeBytes(body);
    }
    int size = CHUNK_HEAD_BYTES + body.length + CHUNK_END.length + LAST_CHUNK.length;
    ByteBuf out = buffers.apply(size);
    for (int shift = 4 * (CHUNK_HEAD_BYTES - 3); shift >= 0; shift -= 4) {
      out.writeByte(HEX[body.length >>> shift & 15]);
    }
    out.writeBytes(CHUNK_END).writeBytes(body).writeBytes(CHUNK_END);
    return ended ? out.writeBytes(LAST_CHUNK) : out;
  }
}
