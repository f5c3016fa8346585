package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.largeobject.PaperMachine;
import dev.upcall.content.EditPolicy;
import dev.upcall.edit.EditPlanner;
import dev.upcall.edit.Eos;
import dev.upcall.edit.Esm;
import dev.upcall.edit.Starburst;
import java.util.List;

/**
 * One of the paper's managers with its parameter.
 *
 * @param manager which
 * @param pages of a leaf of ESM, of the threshold of EOS; Starburst has none
 */
record Structure(Manager manager, int pages) {
  /** Pages of leaves and thresholds that the paper compares. */
  static final List<Integer> PAGES = List.of(1, 4, 16, 64);

  /** As the paper has it. */
  static final Structure STARBURST = new Structure(Manager.STARBURST, 0);

  /** The same, but an update copies only from the first segment that it touches on. */
  static final Structure STARBURST_TAIL = new Structure(Manager.STARBURST_TAIL, 0);

  private static final int KIB = 1024;

  /** Who keeps the object. */
  enum Manager {
    ESM,
    EOS,
    STARBURST,
    STARBURST_TAIL
  }

  static Structure esm(int pages) {
    return new Structure(Manager.ESM, pages);
  }

  static Structure eos(int pages) {
    return new Structure(Manager.EOS, pages);
  }

  /** ESM with each size of leaves. */
  static List<Structure> allEsm() {
    return PAGES.stream().map(Structure::esm).toList();
  }

  /** EOS with each threshold. */
  static List<Structure> allEos() {
    return PAGES.stream().map(Structure::eos).toList();
  }

  /** What plans its edits. */
  EditPlanner policy() {
    return switch (manager) {
      case ESM -> new Esm(PaperMachine.GEOMETRY, pages);
      case EOS -> new Eos(PaperMachine.GEOMETRY, pages);
      case STARBURST -> new Starburst(PaperMachine.GEOMETRY, Starburst.Copied.WHOLE);
      case STARBURST_TAIL -> new Starburst(PaperMachine.GEOMETRY, Starburst.Copied.TAIL);
    };
  }

  /** What a file of the store is edited by in the same way; it copies the tail at most. */
  EditPolicy ofFile() {
    return switch (manager) {
      case ESM -> new EditPolicy.Esm(pages);
      case EOS -> new EditPolicy.Eos(pages);
      case STARBURST, STARBURST_TAIL -> new EditPolicy.Starburst();
    };
  }

  /** By which appends objects are made that are then updated: EOS and Starburst begin to double. */
  int appendBytes() {
    return manager == Manager.ESM ? 64 * KIB : 4 * KIB;
  }

  /** What distinguishes it from others of its manager. */
  String parameter() {
    return switch (manager) {
      case ESM -> pages + (pages == 1 ? " page" : " pages");
      case EOS -> "T = " + pages;
      case STARBURST, STARBURST_TAIL -> label();
    };
  }

  /** The manager's name. */
  String name() {
    return switch (manager) {
      case ESM -> "ESM";
      case EOS -> "EOS";
      case STARBURST, STARBURST_TAIL -> "Starburst";
    };
  }

  String label() {
    return switch (manager) {
      case ESM -> "ESM, " + parameter();
      case EOS -> "EOS, " + parameter();
      case STARBURST -> "Starburst";
      case STARBURST_TAIL -> "Starburst, tail only";
    };
  }
}
