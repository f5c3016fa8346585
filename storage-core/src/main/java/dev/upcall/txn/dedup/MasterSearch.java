package dev.upcall.txn.dedup;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.Kind;
import dev.upcall.content.LeaseOwner;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.KnownContent;
import dev.upcall.txn.ReadSource;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks for a file that begins as some content does, and holds it in the same step. */
final class MasterSearch {
  /** So many entries with the same first hash are looked at. */
  private static final int MOST_CANDIDATES = 16;

  private final byte[] first;
  private final List<byte[]> stale = new ArrayList<>();
  private byte @Nullable [] key;
  private @Nullable KnownContent found;

  /**
   * A search.
   *
   * @param first the hash of the beginning
   */
  MasterSearch(byte[] first) {
    this.first = first;
  }

  /** Keys of entries that were met and whose files have changed or gone. */
  List<byte[]> stale() {
    return stale;
  }

  /** Completes with the file, held, or a failure: there is none, or it cannot be had. */
  void run(ReadSource store, LeaseOwner owner, CompletionPort<Master> port) {
    store.pin(this::find, owner, completion -> port.complete(completion.map(this::held)));
  }

  private Master held(PinnedContent content) {
    if (key == null || found == null) {
      throw new IllegalStateException("a file that was held and not found");
    }
    return new Master(key, found, content);
  }

  /** The one that was known last, which is the one with the greatest id. */
  private Completion<Inode> find(View view) {
    // A query may run again from its start.
    stale.clear();
    key = null;
    found = null;
    Inode best = null;
    View.Scan scan = view.from(StoreTree.CONTENTS, KnownContent.key(first, new byte[first.length]));
    for (int i = 0; i < MOST_CANDIDATES && scan.next(); i++) {
      byte[] at = scan.key();
      if (!KnownContent.begins(at, first)) {
        break;
      }
      KnownContent known = KnownContent.of(at, scan.value());
      Inode inode = view.inode(known.segment());
      if (inode == null || inode.version() != known.version() || inode.kind() != Kind.FILE) {
        stale.add(at);
      } else if (best == null || best.id() < inode.id()) {
        best = inode;
        key = at;
        found = known;
      }
    }
    return best == null
        ? Completion.failed(new Failure.NotFound("content that begins like this"))
        : Completion.done(best);
  }
}
