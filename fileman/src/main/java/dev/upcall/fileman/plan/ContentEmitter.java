package dev.upcall.fileman.plan;

import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.StagedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.txn.Mutations;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Says which files get new content, in an order in which each clone finds its source as it was when
 * it was asked for: clones of what was there before the batch come first, and of these a file that
 * others are cloned from behind those. Of those that get the same brought content the first takes
 * it, and the others are its clones.
 */
final class ContentEmitter {
  private record Clone(Inode inode, long source) {}

  private final List<Clone> clones = new ArrayList<>();
  private final Map<StagedContent, Long> taken = new LinkedHashMap<>();

  /** A file that is a clone of what was there before. */
  void cloneOf(Inode inode, long source) {
    clones.add(new Clone(inode, source));
  }

  /** Says all clones so far; refuses those that change places. */
  void emitClones(Mutations out) {
    while (!clones.isEmpty()) {
      boolean some = false;
      Iterator<Clone> left = clones.iterator();
      while (left.hasNext()) {
        Clone next = left.next();
        if (!isSource(next.inode().id())) {
          out.putClone(next.inode(), next.source());
          left.remove();
          some = true;
        }
      }
      if (!some) {
        throw new Refused(
            new Failure.Invalid(
                "files cannot change content with each other by clones in one batch"));
      }
    }
  }

  /** A file that gets brought content. */
  void brought(Inode inode, StagedContent content, Mutations out) {
    Long first = taken.putIfAbsent(content, inode.id());
    if (first == null) {
      out.putInode(inode, content);
    } else {
      out.putClone(inode, first);
    }
  }

  private boolean isSource(long id) {
    for (Clone clone : clones) {
      if (clone.source() == id) {
        return true;
      }
    }
    return false;
  }
}
