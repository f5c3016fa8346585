package dev.upcall.sim.store.model;

import dev.upcall.content.EditPolicy;
import dev.upcall.content.Kind;
import dev.upcall.segment.layout.Inode;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The names of simulated files: each has one, which comes and goes with it, so that what is
 * remembered of names is looked at in every step.
 */
public final class SimFileNames {
  private static final long DIRECTORY = 1;

  private static final int MOST_POLICY_BLOCKS = 4;

  /** Those that files get in turn, with few blocks, so that each has much to do. */
  private static final List<EditPolicy> POLICIES = policies();

  private SimFileNames() {}

  /** The inode of a file that gets other content; if there is none yet, of a new one. */
  public static Inode madeOrTouched(Mutations out, long id, @Nullable Inode old, long stamp) {
    return old == null ? made(out, id, stamp << 32) : old.touched(stamp);
  }

  /** The inode of a new file, which gets its name. */
  public static Inode made(Mutations out, long id, long version) {
    byte[] value =
        ByteBuffer.allocate(Long.BYTES + 1)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(id)
            .put((byte) Kind.FILE.code())
            .array();
    out.put(StoreTree.NAMES, key(id), value);
    return withPolicy(StoreFixture.file(id, version), version >>> 32);
  }

  private static List<EditPolicy> policies() {
    List<EditPolicy> policies = new ArrayList<>();
    for (int blocks = 1; blocks <= MOST_POLICY_BLOCKS; blocks++) {
      policies.add(EditPolicy.NONE);
      policies.add(new EditPolicy.Eos(blocks));
      policies.add(new EditPolicy.Esm(blocks));
    }
    policies.add(new EditPolicy.Starburst());
    return List.copyOf(policies);
  }

  /** A file whose edits go by the policy whose turn it is, whatever they went by before. */
  public static Inode withPolicy(Inode inode, long stamp) {
    return StoreFixture.edited(inode, POLICIES.get((int) (stamp % POLICIES.size())));
  }

  /** A file goes, and its name with it. */
  public static void removed(Mutations out, Inode inode) {
    out.remove(StoreTree.NAMES, key(inode.id()));
    out.removeSegment(inode);
  }

  /** A view shows the name of a file if, and only if, it shows the file. */
  public static void check(View view, long id, boolean isThere) {
    byte[] value = view.get(StoreTree.NAMES, key(id));
    SimInspection.checkThat(
        isThere ? value != null && id(value) == id : value == null,
        "file %d is %s, its name is %s"
            .formatted(id, isThere ? "there" : "gone", value == null ? "gone" : "there"));
  }

  /** The files that a view names. */
  static TreeSet<Long> all(View view) {
    TreeSet<Long> all = new TreeSet<>();
    View.Scan names = view.from(StoreTree.NAMES, new byte[0]);
    while (names.next()) {
      all.add(id(names.value()));
    }
    return all;
  }

  private static long id(byte[] value) {
    return ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  /** Names of one directory, in the order of the ids backwards. */
  private static byte[] key(long id) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(DIRECTORY).putLong(~id).array();
  }
}
