package dev.upcall.httpd.listing;

import dev.upcall.fileman.FileInfo;
import dev.upcall.fileman.Listing;
import dev.upcall.fileman.StorePath;
import dev.upcall.httpd.LinkTarget;
import dev.upcall.httpd.message.Request;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One page of a directory under way: asked from the store and sent piece by piece, so that a page
 * of any size costs the memory of one piece.
 */
public final class ListingResponse {
  /** Entries of one piece: rendering them takes some tens of microseconds. */
  static final int PIECE_ENTRIES = 64;

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
  private int sentEntries;
  private @Nullable String after;
  private @Nullable Listing piece;
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
    this.after = query.after();
  }

  /** What was asked for. */
  public ListingQuery query() {
    return query;
  }

  /** What it is about. */
  public StorePath directory() {
    return directory;
  }

  /** Behind which entry the next piece begins. */
  public @Nullable String after() {
    return after;
  }

  /** How many entries to ask for next. */
  public int pieceEntries() {
    return Math.min(PIECE_ENTRIES, query.entries() - sentEntries);
  }

  /** Whether the first piece was rendered, so that the status can no longer change. */
  public boolean begun() {
    return begun;
  }

  /** Whether the page is complete. */
  public boolean ended() {
    return ended;
  }

  /** Takes a piece that has come. */
  public void arrived(Listing listing) {
    piece = listing;
    links.clear();
  }

  /** The next symbolic link of the piece whose target is wanted, or null. */
  public @Nullable StorePath nextLink() {
    List<FileInfo> entries = present().entries();
    while (links.size() < entries.size()) {
      FileInfo entry = entries.get(links.size());
      if (entry.isSymbolicLink()) {
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
    Listing listing = present();
    piece = null;
    StringBuilder text = new StringBuilder(8192);
    if (!begun) {
      format.head(text, directory.toString(), query);
      begun = true;
    }
    for (int i = 0; i < links.size(); i++) {
      format.entry(text, sentEntries == 0, listing.entries().get(i), links.get(i));
      sentEntries++;
    }
    after = listing.nextAfter();
    ended = after == null || sentEntries >= query.entries();
    if (ended) {
      format.foot(text, sentEntries, query, after == null ? null : query.next(after));
    }
    return framed(text.toString().getBytes(StandardCharsets.UTF_8), buffers);
  }

  private Listing present() {
    Listing listing = piece;
    if (listing == null) {
      throw new IllegalStateException("no piece has come");
    }
    return listing;
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
