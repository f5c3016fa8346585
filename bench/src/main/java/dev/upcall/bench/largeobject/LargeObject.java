package dev.upcall.bench.largeobject;

import dev.upcall.edit.Edit;
import dev.upcall.edit.EditPlanner;
import dev.upcall.edit.Eos;
import dev.upcall.edit.Esm;
import dev.upcall.edit.Neighbourhood;
import dev.upcall.edit.Plan;
import dev.upcall.edit.Run;
import dev.upcall.edit.Source;
import dev.upcall.edit.Starburst;
import java.util.ArrayList;
import java.util.List;

/**
 * One object on a machine of its own. A policy says what becomes of the segments around an edit;
 * this reads, writes and frees by that, shadowing: new places first, then the index, nothing over
 * what is there but the free end of a last segment.
 */
public final class LargeObject {
  private final PaperMachine machine;
  private final EditPlanner policy;
  private final SegmentIndex index;
  private final Transfer whole;
  private final Transfer splicing;

  /** An empty one: of ESM and EOS under a count tree, of Starburst with its short descriptor. */
  public LargeObject(EditPlanner policy, PaperMachine machine) {
    this.machine = machine;
    this.policy = policy;
    this.whole = new WholeTransfer(machine.pager());
    switch (policy) {
      case Esm _, Eos _ -> {
        this.index = new CountTree(machine);
        this.splicing = whole;
      }
      case Starburst _ -> {
        this.index = new FieldDescriptor();
        this.splicing = new BufferedTransfer(machine.pager());
      }
    }
  }

  /** Bytes of content. */
  public long bytes() {
    return index.bytes();
  }

  /** Pages of the index besides the root. */
  public int indexPages() {
    return index.pages();
  }

  /** The part of all pages in use, those of the index included, that content fills. */
  public double utilization() {
    return (double) bytes() / PaperMachine.GEOMETRY.bytes((int) machine.usedPages());
  }

  /** Puts bytes behind all others. A series of these is one operation of the index. */
  public void append(long bytes) {
    SegmentIndex.Window end = index.end();
    carryOut(policy.append(around(end), bytes), end, whole);
  }

  /** A series of appends ends: gives back what was taken ahead, and writes the index. */
  public void trim() {
    SegmentIndex.Window end = index.end();
    carryOut(policy.trim(around(end)), end, whole);
    index.write();
  }

  /** Cuts bytes out and puts others in their place. */
  public void splice(long offset, long removed, long inserted) {
    SegmentIndex.Window window = index.around(offset, offset + removed);
    Edit edit = new Edit(offset - window.start(), removed, inserted);
    carryOut(policy.splice(around(window), edit), window, splicing);
    index.write();
  }

  /** Reads bytes, of each segment with as few calls as the pool allows. */
  public void read(long offset, long bytes) {
    step(offset, bytes);
    index.write();
  }

  /** Reads all, in steps of so many bytes. They are one operation of the index. */
  public void scan(long stepBytes) {
    for (long at = 0; at < bytes(); at += stepBytes) {
      step(at, Math.min(stepBytes, bytes() - at));
    }
    index.write();
  }

  private void step(long offset, long bytes) {
    SegmentIndex.Window window = index.around(offset, offset + bytes);
    long begin = window.start();
    for (Segment segment : window.segments()) {
      long from = Math.max(offset - begin, 0);
      long to = Math.min(offset + bytes - begin, segment.bytes());
      if (from < to) {
        machine.pager().read(segment.page(), from, to);
      }
      begin += segment.bytes();
    }
  }

  /** All segments, in order. */
  List<Segment> segments() {
    List<Segment> all = index.around(0, bytes()).segments();
    index.write();
    return all;
  }

  private static Neighbourhood around(SegmentIndex.Window window) {
    return new Neighbourhood(window.segments().stream().map(Segment::piece).toList());
  }

  private void carryOut(Plan plan, SegmentIndex.Window window, Transfer transfer) {
    if (plan.changesNothing()) {
      return;
    }
    List<Segment> old = window.segments();
    List<Segment> made = new ArrayList<>();
    for (Run run : plan.runs()) {
      made.add(new Segment(place(run, old), run.blocks(), run.bytes()));
    }
    transfer.run(plan, old, made);
    for (int i = 0; i < made.size(); i++) {
      Run run = plan.runs().get(i);
      long at = made.get(i).address(run.keptBytes());
      for (Source source : run.gathered()) {
        fill(source, old, at);
        at += source.bytes();
      }
    }
    index.replace(window.position(plan.first()), window.position(plan.last()), made);
    for (Plan.Freed freed : plan.freed(around(window), policy.geometry())) {
      machine.free(old.get(freed.piece()).page() + freed.first(), freed.blocks());
    }
  }

  private int place(Run run, List<Segment> old) {
    Source.Old kept = run.kept();
    return kept == null
        ? machine.allocate(run.blocks())
        : old.get(kept.piece()).page() + policy.geometry().blocks(kept.from());
  }

  private void fill(Source source, List<Segment> old, long to) {
    switch (source) {
      case Source.Old part ->
          machine.contents().move(old.get(part.piece()).address(part.from()), to, part.bytes());
      case Source.Fresh fresh -> machine.contents().put(fresh.from(), to, fresh.bytes());
    }
  }
}
