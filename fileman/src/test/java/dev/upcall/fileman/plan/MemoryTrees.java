package dev.upcall.fileman.plan;

import dev.upcall.completion.Completion;
import dev.upcall.content.StagedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.txn.Change;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.Query;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The trees of a store as sorted maps, for tests of the planners. */
public final class MemoryTrees implements View {
  private final Map<StoreTree, TreeMap<byte[], byte[]>> trees = new EnumMap<>(StoreTree.class);
  private final TreeMap<Long, Inode> inodes = new TreeMap<>();
  private final List<Text> freed = new ArrayList<>();
  private final TreeMap<Long, Text> contents = new TreeMap<>();
  private long nextId = 2;
  private long scn;

  /** What time it is. */
  long timeNanos;

  /** Content that is its own bytes. */
  public static final class Text implements StagedContent {
    final String text;
    public boolean taken;
    boolean discarded;

    public Text(String text) {
      this.text = text;
    }

    @Override
    public long sizeBytes() {
      return text.length();
    }

    @Override
    public long frameBlocks() {
      return 0;
    }

    @Override
    public void discard() {
      discarded |= !taken;
    }
  }

  public MemoryTrees() {
    change(RootDirectory.make(7));
  }

  public String content(long id) {
    return contents.get(id).text;
  }

  public int inodeCount() {
    return inodes.size();
  }

  public int entryCount() {
    return tree(StoreTree.NAMES).size();
  }

  public int orphanCount() {
    return tree(StoreTree.ORPHANS).size();
  }

  /** Applies what the plan says, after checking it against the rules of Mutations. */
  public <T> Completion<T> change(Change<T> change) {
    Recorder first = new Recorder();
    change.plan(this, first);
    // A second run must say the same: plans run again when a page was missing.
    Recorder recorder = new Recorder();
    Completion<T> result = change.plan(this, recorder);
    if (first.steps.size() != recorder.steps.size()) {
      throw new AssertionError("a second run planned something else");
    }
    if (result instanceof Completion.Done) {
      recorder.steps.forEach(Runnable::run);
      nextId = recorder.next;
      scn++;
    }
    return result;
  }

  public <T> Completion<T> query(Query<T> query) {
    return query.run(this);
  }

  @Override
  public byte @Nullable [] get(StoreTree tree, byte[] key) {
    return tree(tree).get(key);
  }

  @Override
  public Scan from(StoreTree tree, byte[] key) {
    return scan(tree(tree).tailMap(key));
  }

  @Override
  public Scan below(StoreTree tree, byte[] key) {
    return scan(tree(tree).headMap(key, false).descendingMap());
  }

  private static Scan scan(Map<byte[], byte[]> over) {
    Iterator<Map.Entry<byte[], byte[]>> entries = over.entrySet().iterator();
    return new Scan() {
      private Map.Entry<byte[], byte[]> entry = Map.entry(new byte[0], new byte[0]);

      @Override
      public boolean next() {
        if (!entries.hasNext()) {
          return false;
        }
        entry = entries.next();
        return true;
      }

      @Override
      public byte[] key() {
        return entry.getKey();
      }

      @Override
      public byte[] value() {
        return entry.getValue();
      }
    };
  }

  @Override
  public @Nullable Inode inode(long id) {
    return inodes.get(id);
  }

  @Override
  public long scn() {
    return scn;
  }

  @Override
  public long timeNanos() {
    return timeNanos;
  }

  private TreeMap<byte[], byte[]> tree(StoreTree tree) {
    return trees.computeIfAbsent(tree, _ -> new TreeMap<>(Arrays::compareUnsigned));
  }

  private final class Recorder implements Mutations {
    final List<Runnable> steps = new ArrayList<>();
    long next = nextId;

    @Override
    public long newSegmentId() {
      return next++;
    }

    @Override
    public void put(StoreTree tree, byte[] key, byte[] value) {
      if (key.length > 300 || value.length > 1200) {
        throw new AssertionError("entry too large");
      }
      steps.add(() -> tree(tree).put(key, value));
    }

    @Override
    public void remove(StoreTree tree, byte[] key) {
      steps.add(() -> tree(tree).remove(key));
    }

    @Override
    public void putInode(Inode inode) {
      Inode old = inodes.get(inode.id());
      if (old == null
          ? inode.size() > 0 && !(inode.layout() instanceof Layout.Inline)
          : inode.size() != old.size() || inode.layout() != old.layout()) {
        throw new AssertionError("content changed without content: " + inode);
      }
      steps.add(() -> inodes.put(inode.id(), inode));
    }

    @Override
    public void putInode(Inode inode, StagedContent content) {
      steps.add(
          () -> {
            Text text = (Text) content;
            if (text.taken || text.discarded) {
              throw new AssertionError("content used twice");
            }
            text.taken = true;
            contents.put(inode.id(), text);
            inodes.put(inode.id(), inode);
          });
    }

    @Override
    public void putClone(Inode inode, long source) {
      if (inode.id() == source) {
        throw new AssertionError("clone of itself: " + inode);
      }
      steps.add(
          () -> {
            contents.put(inode.id(), contents.get(source));
            inodes.put(inode.id(), inode);
          });
    }

    @Override
    public void removeSegment(Inode inode) {
      if (inodes.get(inode.id()) == null) {
        throw new AssertionError("removed what is not there: " + inode);
      }
      steps.add(
          () -> {
            inodes.remove(inode.id());
            Text text = contents.remove(inode.id());
            if (text != null) {
              freed.add(text);
            }
          });
    }
  }
}
