package dev.upcall.txn.engine;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.txn.Overtaken;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.Transaction;
import dev.upcall.txn.TransactionStep;
import dev.upcall.txn.View;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A store that is broken on purpose: what a transaction has written through a handle is committed
 * for where the content lay when it was written, wherever the store has moved it since. So it never
 * finds itself {@link Overtaken}.
 */
public final class StaleLayouts {
  /** How handles call their steps. */
  private static final String WRITES = "write to segment";

  private StaleLayouts() {}

  /** A store broken like that. */
  public static Store over(Store store) {
    return watching(Store.class, store);
  }

  private static <T> T watching(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Object[] passed =
                  arguments == null
                      ? null
                      : Arrays.stream(arguments).map(each -> broken(method, each)).toArray();
              try {
                return method.invoke(target, passed);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  @SuppressWarnings("unchecked")
  private static @Nullable Object broken(Method method, @Nullable Object argument) {
    if (argument instanceof TransactionStep<?> step && step.purpose().startsWith(WRITES)) {
      return stale(step);
    }
    if (argument instanceof CompletionPort<?> port && method.getName().equals("begin")) {
      return begun((CompletionPort<Transaction>) port);
    }
    return argument;
  }

  private static CompletionPort<Transaction> begun(CompletionPort<Transaction> port) {
    return completion ->
        port.complete(
            completion instanceof Completion.Done<Transaction>(Transaction transaction)
                ? Completion.done(watching(Transaction.class, transaction))
                : completion);
  }

  private static <T> TransactionStep<T> stale(TransactionStep<T> step) {
    Map<Long, Layout> first = new HashMap<>();
    return new TransactionStep<>(
        step.purpose(),
        (view, out) -> step.change().plan(new Stale(view, first), out),
        step.content());
  }

  /** Shows each inode with the layout with which it was asked for first. */
  private record Stale(View now, Map<Long, Layout> first) implements View {
    @Override
    public @Nullable Inode inode(long id) {
      Inode inode = now.inode(id);
      return inode == null
          ? null
          : inode.withContent(inode.size(), first.computeIfAbsent(id, asked -> inode.layout()));
    }

    @Override
    public byte @Nullable [] get(StoreTree tree, byte[] key) {
      return now.get(tree, key);
    }

    @Override
    public Scan from(StoreTree tree, byte[] key) {
      return now.from(tree, key);
    }

    @Override
    public Scan below(StoreTree tree, byte[] key) {
      return now.below(tree, key);
    }

    @Override
    public long scn() {
      return now.scn();
    }

    @Override
    public long timeNanos() {
      return now.timeNanos();
    }
  }
}
