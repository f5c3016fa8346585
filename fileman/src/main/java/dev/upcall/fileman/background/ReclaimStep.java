package dev.upcall.fileman.background;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Refused;
import dev.upcall.content.Kind;
import dev.upcall.fileman.plan.EntryRemover;
import dev.upcall.fileman.plan.Names;
import dev.upcall.fileman.plan.Namespace;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.txn.Change;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;

/**
 * Takes a few entries of one detached directory apart: files and links lose a name, a directory
 * below is detached in its turn, and when nothing is left the directory itself goes. What remains
 * is a smaller forest of detached directories, so a crash between two steps loses nothing.
 *
 * @param directory where to begin to look for a detached directory (an id)
 * @param limit entries in this step
 * @param timeNanos the time of the step
 */
public record ReclaimStep(long directory, int limit, long timeNanos)
    implements Change<ReclaimStep.Progress> {

  /**
   * What a step did.
   *
   * @param directory where the next step begins to look
   * @param entries how many entries it took apart
   * @param more whether there may be more to do
   */
  public record Progress(long directory, int entries, boolean more) {}

  @Override
  public Completion<Progress> plan(View view, Mutations out) {
    return Refused.catching(() -> step(view, out));
  }

  private Progress step(View view, Mutations out) {
    View.Scan orphans = view.from(StoreTree.ORPHANS, TreeKeys.of(directory));
    while (orphans.next()) {
      if (Namespace.isDetachedDirectory(orphans.value())) {
        return takeApart(view, TreeKeys.id(orphans.key()), out);
      }
    }
    // Directories detached meanwhile may have lower ids: begin again, unless this was a whole look.
    return new Progress(0, 0, directory != 0);
  }

  private Progress takeApart(View view, long id, Mutations out) {
    Namespace namespace = new Namespace(view, timeNanos);
    View.Scan entries = view.from(StoreTree.NAMES, TreeKeys.of(id));
    int taken = 0;
    boolean more = false;
    while (entries.next() && Names.isEntryOf(entries.key(), id)) {
      if (taken == limit) {
        more = true;
        break;
      }
      Names.Entry entry = Names.entry(entries.value());
      namespace.removeEntry(id, Names.nameBytesIn(entries.key()));
      if (entry.kind() == Kind.DIRECTORY) {
        EntryRemover.detach(namespace, entry.id(), timeNanos);
      } else {
        EntryRemover.release(namespace, entry.id(), timeNanos);
      }
      taken++;
    }
    if (!more) {
      Inode directoryItself = namespace.inode(id);
      namespace.removeInode(directoryItself.id());
      out.remove(StoreTree.ORPHANS, TreeKeys.of(id));
    }
    namespace.emit(out);
    return new Progress(id, taken, true);
  }
}
