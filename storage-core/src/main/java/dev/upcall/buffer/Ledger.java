package dev.upcall.buffer;

import dev.upcall.content.LeaseOwner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All leases that are out, oldest first: a list that is linked through the leases themselves. */
final class Ledger {
  private static final int ORIGINS_SHOWN = 4;
  private static final int FRAMES_SHOWN = 12;

  private @Nullable FrameLease oldest;
  private @Nullable FrameLease newest;
  private int leases;

  int size() {
    return leases;
  }

  void enter(FrameLease lease) {
    lease.previous = newest;
    if (newest == null) {
      oldest = lease;
    } else {
      newest.next = lease;
    }
    newest = lease;
    leases++;
  }

  void strike(FrameLease lease) {
    FrameLease before = lease.previous;
    FrameLease after = lease.next;
    if (before == null) {
      oldest = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      newest = before;
    } else {
      after.previous = before;
    }
    lease.previous = null;
    lease.next = null;
    leases--;
  }

  LedgerSnapshot snapshot(long nowNanos) {
    Map<LeaseOwner, List<FrameLease>> byOwner = new LinkedHashMap<>();
    for (FrameLease lease = oldest; lease != null; lease = lease.next) {
      byOwner.computeIfAbsent(lease.owner(), owner -> new ArrayList<>()).add(lease);
    }
    List<LedgerSnapshot.Holder> holders = new ArrayList<>(byOwner.size());
    byOwner.forEach((owner, held) -> holders.add(holder(owner, held, nowNanos)));
    return new LedgerSnapshot(holders);
  }

  private static LedgerSnapshot.Holder holder(
      LeaseOwner owner, List<FrameLease> held, long nowNanos) {
    long bytes = 0;
    List<String> origins = new ArrayList<>();
    for (FrameLease lease : held) {
      bytes += lease.sizeBytes();
      if (lease.origin != null && origins.size() < ORIGINS_SHOWN) {
        origins.add(describe(lease.origin));
      }
    }
    return new LedgerSnapshot.Holder(
        owner, held.size(), bytes, nowNanos - held.getFirst().sinceNanos, origins);
  }

  private static String describe(Throwable origin) {
    String own = BufferManager.class.getPackageName() + ".";
    return Arrays.stream(origin.getStackTrace())
        .dropWhile(frame -> isOwn(frame, own))
        .limit(FRAMES_SHOWN)
        .map(StackTraceElement::toString)
        .collect(Collectors.joining("\n    "));
  }

  private static boolean isOwn(StackTraceElement frame, String own) {
    String type = frame.getClassName();
    return type.equals(own + "BufferManager")
        || type.equals(own + "ReadRequest")
        || type.equals(own + "AllocateRequest");
  }
}
