package dev.upcall.fileman.plan;

import dev.upcall.MetadataChange;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.completion.Unit;
import dev.upcall.txn.Change;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.View;

/**
 * Sets metadata of a file by its id, whatever it is called by now.
 *
 * @param id the file
 * @param change no expiry, for which the store must know a name
 * @param timeNanos when, nanoseconds since 1970
 */
public record FileMetadata(long id, MetadataChange change, long timeNanos) implements Change<Unit> {
  @Override
  public Completion<Unit> plan(View view, Mutations out) {
    return Refused.catching(
        () -> {
          Namespace namespace = new Namespace(view, timeNanos);
          var inode = namespace.inodeIfThere(id);
          if (inode == null) {
            throw new Refused(new Failure.NotFound(what()));
          }
          namespace.putInode(
              Inodes.with(Inodes.changed(inode, timeNanos), change, timeNanos, what()));
          namespace.emit(out);
          return Unit.UNIT;
        });
  }

  private String what() {
    return "file " + id;
  }

  @Override
  public String purpose() {
    return "set metadata of " + what();
  }
}
