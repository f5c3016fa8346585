package dev.upcall.history;

import dev.upcall.history.Anomaly.Kind;
import dev.upcall.history.TransactionRecord.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which transaction must be before which: because the other wrote over what it wrote (ww), read it
 * (wr), wrote over what it read (rw), or was the next of the same client (so). Snapshot isolation
 * allows a cycle only with two rw in a row. So each transaction stands in the search twice: once
 * reached by rw, from where no rw leads on; any cycle of that graph is an anomaly.
 */
final class DependencyGraph {
  /** Why one is before the other. */
  private enum Why {
    /** The other wrote over it. */
    WW,
    /** The other read it. */
    WR,
    /** The other wrote over what it had read. */
    RW,
    /** The same client did the other later. */
    SO
  }

  private record Edge(int from, int to, Why why, String key) {}

  private final List<TransactionRecord> nodes = new ArrayList<>();
  private final Map<Long, Integer> places = new HashMap<>();
  private final List<List<Edge>> edges = new ArrayList<>();
  private final Versions versions;

  /** The graph of those that have committed, or were seen to have. */
  DependencyGraph(List<TransactionRecord> history, Versions versions) {
    this.versions = versions;
    for (TransactionRecord transaction : history) {
      if (transaction.outcome() == Outcome.COMMITTED
          || (transaction.outcome() == Outcome.UNKNOWN && versions.wasSeen(transaction))) {
        places.put(transaction.number(), nodes.size());
        nodes.add(transaction);
        edges.add(new ArrayList<>());
      }
    }
    nodes.forEach(this::addReads);
    versions.keys().forEach(this::addVersions);
    addSessions();
  }

  private void addReads(TransactionRecord reader) {
    IsolationChecker.firstReads(reader)
        .forEach(
            (key, value) -> {
              Versions.Written by = versions.written(key, value);
              if (by != null) {
                add(by.writer(), reader, Why.WR, key);
              }
              Versions.Version version = versions.seen(reader, key, value);
              if (version != null) {
                if (by == null) {
                  add(version.writer(), reader, Why.WR, key);
                }
                Versions.Version next = versions.after(key, version);
                add(reader, next == null ? null : next.writer(), Why.RW, key);
              }
            });
  }

  private void addVersions(String key) {
    TransactionRecord before = null;
    for (Versions.Version version : versions.of(key).values()) {
      TransactionRecord writer = version.writer();
      if (before != null && writer != null) {
        add(before, writer, Why.WW, key);
      }
      before = writer;
    }
  }

  private void addSessions() {
    Map<Integer, TransactionRecord> last = new HashMap<>();
    for (TransactionRecord next : nodes) {
      if (next.client() != TransactionRecord.NOBODY) {
        TransactionRecord before = last.put(next.client(), next);
        if (before != null) {
          add(before, next, Why.SO, "client " + next.client());
        }
      }
    }
  }

  private void add(
      @Nullable TransactionRecord from, @Nullable TransactionRecord to, Why why, String key) {
    if (from == null || to == null || from == to) {
      return;
    }
    Integer begin = places.get(from.number());
    Integer end = places.get(to.number());
    if (begin != null && end != null) {
      edges.get(begin).add(new Edge(begin, end, why, key));
    }
  }

  // ------------------------------------------------------------------ search

  /**
   * One cycle, as short as can be, of each knot of transactions that snapshot isolation forbids.
   */
  List<Anomaly> cycles() {
    List<Anomaly> found = new ArrayList<>();
    for (List<Integer> knot : knots()) {
      boolean[] inside = new boolean[2 * nodes.size()];
      knot.forEach(node -> inside[node] = true);
      List<Edge> shortest = null;
      for (int node : knot.subList(0, Math.min(knot.size(), 200))) {
        List<Edge> cycle = shortestFrom(node, inside);
        if (shortest == null || cycle.size() < shortest.size()) {
          shortest = cycle;
        }
      }
      found.add(anomaly(shortest));
    }
    return found;
  }

  /** Where an edge leads in the doubled graph, or -1: behind an rw no rw. */
  private int target(int node, Edge edge) {
    boolean byRw = (node & 1) == 1;
    if (edge.why() == Why.RW) {
      return byRw ? -1 : 2 * edge.to() + 1;
    }
    return 2 * edge.to();
  }

  private List<Edge> shortestFrom(int start, boolean[] inside) {
    Edge[] by = new Edge[2 * nodes.size()];
    int[] from = new int[2 * nodes.size()];
    Arrays.fill(from, -1);
    ArrayDeque<Integer> open = new ArrayDeque<>(List.of(start));
    while (true) {
      int node = open.removeFirst(); // a knot has a way back
      for (Edge edge : edges.get(node >> 1)) {
        int to = target(node, edge);
        if (to == -1 || !inside[to] || from[to] != -1) {
          continue;
        }
        from[to] = node;
        by[to] = edge;
        if (to == start) {
          List<Edge> cycle = new ArrayList<>();
          int at = start;
          do {
            cycle.addFirst(by[at]);
            at = from[at];
          } while (at != start);
          return cycle;
        }
        open.addLast(to);
      }
    }
  }

  /** Strongly connected components of more than one node (Tarjan 1972, without recursion). */
  private List<List<Integer>> knots() {
    int count = 2 * nodes.size();
    int[] index = new int[count];
    int[] low = new int[count];
    int[] next = new int[count];
    boolean[] onStack = new boolean[count];
    ArrayDeque<Integer> stack = new ArrayDeque<>();
    List<List<Integer>> knots = new ArrayList<>();
    int[] counter = {0};
    for (int root = 0; root < count; root++) {
      if (index[root] != 0) {
        continue;
      }
      ArrayDeque<Integer> way = new ArrayDeque<>(List.of(root));
      while (!way.isEmpty()) {
        int node = way.peekLast();
        if (index[node] == 0) {
          index[node] = ++counter[0];
          low[node] = index[node];
          stack.addLast(node);
          onStack[node] = true;
        }
        List<Edge> out = edges.get(node >> 1);
        boolean deeper = false;
        while (!deeper && next[node] < out.size()) {
          int to = target(node, out.get(next[node]));
          if (to != -1 && index[to] == 0) {
            way.addLast(to);
            deeper = true;
          } else {
            if (to != -1 && onStack[to]) {
              low[node] = Math.min(low[node], low[to]);
            }
            next[node]++;
          }
        }
        if (deeper) {
          continue;
        }
        way.removeLast();
        if (low[node] == index[node]) {
          List<Integer> knot = new ArrayList<>();
          int member;
          do {
            member = stack.removeLast();
            onStack[member] = false;
            knot.add(member);
          } while (member != node);
          if (knot.size() > 1) {
            knots.add(knot);
          }
        }
      }
    }
    return knots;
  }

  private Anomaly anomaly(List<Edge> cycle) {
    long overwritten = cycle.stream().filter(edge -> edge.why() == Why.RW).count();
    Kind kind =
        overwritten == 0
            ? Kind.CIRCULAR_INFORMATION
            : overwritten == 1 ? Kind.READ_SKEW : Kind.LONG_FORK;
    StringBuilder story = new StringBuilder();
    List<Long> numbers = new ArrayList<>();
    for (Edge edge : cycle) {
      long number = nodes.get(edge.from()).number();
      numbers.add(number);
      story.append("T%d -%s %s-> ".formatted(number, edge.why(), edge.key()));
    }
    story.append('T').append(numbers.getFirst());
    return new Anomaly(kind, numbers, story.toString());
  }
}
