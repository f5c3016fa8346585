package dev.upcall.fileman.background;

import dev.upcall.completion.CompletionPort;
import dev.upcall.store.Durability;
import dev.upcall.txn.Change;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.Query;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Stores that are wrong about expiry on purpose: the model must notice. */
public final class BrokenExpiry {
  private static final long WEEK_NANOS = 7 * 86_400_000_000_000L;

  /** What is wrong. */
  public enum Fault {
    /** The tree of expiries does not hear of a file. */
    FORGETS_THE_ENTRY,
    /** The tree of expiries keeps the entry of a file that is to stay or has gone. */
    KEEPS_THE_ENTRY,
    /** Files are collected before their time. */
    COLLECTS_EARLY,
    /** Who looks sees files that have expired. */
    SHOWS_WHAT_IS_GONE
  }

  /** What a stand-in gives to leave a call to what it stands in for. */
  private static final Object LEFT = new Object();

  private BrokenExpiry() {}

  /** A store that has the fault, in front of one that has not. */
  public static Store store(Store store, Fault fault) {
    return standIn(
        Store.class,
        store,
        (method, arguments) -> {
          if (method.equals("change")) {
            change(store, (Change<?>) arguments[0], fault, arguments);
            return null;
          }
          if (method.equals("query") && fault == Fault.SHOWS_WHAT_IS_GONE) {
            query(store, (Query<?>) arguments[0], arguments[1]);
            return null;
          }
          return LEFT;
        });
  }

  @SuppressWarnings("unchecked") // the port belongs to the change
  private static <T> void change(Store store, Change<T> change, Fault fault, Object[] arguments) {
    Change<T> broken =
        switch (fault) {
          case COLLECTS_EARLY ->
              change instanceof ExpireStep(int limit, long nanos)
                  ? (Change<T>) (Change<?>) new ExpireStep(limit, nanos + WEEK_NANOS)
                  : change;
          case FORGETS_THE_ENTRY -> (view, out) -> change.plan(view, without("put", out));
          case KEEPS_THE_ENTRY -> (view, out) -> change.plan(view, without("remove", out));
          case SHOWS_WHAT_IS_GONE -> change;
        };
    store.change(broken, (Durability) arguments[1], (CompletionPort<T>) arguments[2]);
  }

  @SuppressWarnings("unchecked") // the port belongs to the query
  private static <T> void query(Store store, Query<T> query, Object port) {
    store.query(view -> query.run(longAgo(view)), (CompletionPort<T>) port);
  }

  private static Mutations without(String broken, Mutations out) {
    return standIn(
        Mutations.class,
        out,
        (method, arguments) ->
            method.equals(broken) && arguments[0].equals(StoreTree.EXPIRY) ? null : LEFT);
  }

  private static View longAgo(View view) {
    return standIn(
        View.class, view, (method, _) -> method.equals("timeNanos") ? Long.valueOf(0) : LEFT);
  }

  /** What happens instead of a call. */
  private interface Instead {
    @Nullable Object of(String method, Object[] arguments);
  }

  private static <I> I standIn(Class<I> type, I sound, Instead instead) {
    Object made =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              Object[] given = arguments == null ? new Object[0] : arguments;
              Object result = instead.of(method.getName(), given);
              if (result != LEFT) {
                return result;
              }
              try {
                return method.invoke(sound, given);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    return type.cast(made);
  }
}
