package dev.upcall.content;

import dev.upcall.config.Limits;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What is copied together when a file is edited in the middle: an attribute of the file, which
 * directories hand down to what is made in them. More copying costs each edit, and gains reads and
 * space. The names are those of the three managers that <i>The Performance of Three Database
 * Storage Structures for Managing Large Objects</i> (Biliris, SIGMOD 1992) compares.
 *
 * <p>What a policy wants is done in the edit's own commit, as long as it is no more than 128 MiB
 * and the volume has room for it; else, and at the last 4 KiB of a file, an edit copies what it
 * does without one. Appends and overwrites never ask.
 */
public sealed interface EditPolicy {
  /** The attribute's name; its value is {@link #text} in ASCII. */
  String ATTRIBUTE = "edit-policy";

  /** The most blocks, of 4 KiB, of a threshold or of a leaf. */
  int MAX_BLOCKS = 256;

  /** Nothing but the rest of the block; so it is where nobody has chosen. */
  EditPolicy NONE = new None();

  /** In words: {@code eos 16}, {@code esm 4}, {@code starburst}, {@code none}. */
  String text();

  /** The value of the attribute; without bytes, which takes it away, where there is no policy. */
  byte[] value();

  /** Nothing but the rest of the block. */
  record None() implements EditPolicy {
    @Override
    public String text() {
      return "none";
    }

    @Override
    public byte[] value() {
      return new byte[0];
    }
  }

  /**
   * EOS: pieces of any length, but none of fewer blocks than a threshold beside an edit, as far as
   * eight pieces on either side go. An edit copies a few times the threshold at most.
   *
   * @param thresholdBlocks T, 1 to {@link #MAX_BLOCKS}; with 1 it is as none
   */
  record Eos(int thresholdBlocks) implements EditPolicy {
    private static final String NAME = "eos";

    /** Checks the threshold. */
    public Eos {
      Limits.within("thresholdBlocks", thresholdBlocks, 1, MAX_BLOCKS);
    }

    @Override
    public String text() {
      return NAME + " " + thresholdBlocks;
    }

    @Override
    public byte[] value() {
      return text().getBytes(StandardCharsets.US_ASCII);
    }
  }

  /**
   * ESM: leaves of a fixed number of blocks, each of them at least half full beside an edit. An
   * edit copies its leaf, and one beside it where that saves a leaf. A leaf takes only those blocks
   * that it has bytes for.
   *
   * @param leafBlocks P, 1 to {@link #MAX_BLOCKS}
   */
  record Esm(int leafBlocks) implements EditPolicy {
    private static final String NAME = "esm";

    /** Checks the size. */
    public Esm {
      Limits.within("leafBlocks", leafBlocks, 1, MAX_BLOCKS);
    }

    @Override
    public String text() {
      return NAME + " " + leafBlocks;
    }

    @Override
    public byte[] value() {
      return text().getBytes(StandardCharsets.US_ASCII);
    }
  }

  /**
   * Starburst: what lies behind an edit is copied with it, from the 32 MiB on in which it is; so a
   * file stays in few pieces, at the price of its length.
   */
  record Starburst() implements EditPolicy {
    private static final String NAME = "starburst";

    @Override
    public String text() {
      return NAME;
    }

    @Override
    public byte[] value() {
      return text().getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** What attributes say; what a later version may understand, and this one does not: none. */
  static EditPolicy of(Map<String, byte[]> attributes) {
    Objects.requireNonNull(attributes, "attributes");
    byte[] value = attributes.get(ATTRIBUTE);
    return value == null ? NONE : parse(value).orElse(NONE);
  }

  /** The policy that the value of an attribute says; empty if it says none. */
  static Optional<EditPolicy> parse(byte[] value) {
    Objects.requireNonNull(value, "value");
    String[] words = new String(value, StandardCharsets.US_ASCII).split(" ", /* limit= */ 2);
    if (words.length == 1) {
      return words[0].equals(Starburst.NAME) ? Optional.of(new Starburst()) : Optional.empty();
    }
    Optional<Integer> blocks = blocks(words[1]);
    return switch (words[0]) {
      case Eos.NAME -> blocks.map(Eos::new);
      case Esm.NAME -> blocks.map(Esm::new);
      default -> Optional.empty();
    };
  }

  private static Optional<Integer> blocks(String digits) {
    boolean isNumber =
        !digits.isEmpty()
            && digits.length() <= String.valueOf(MAX_BLOCKS).length()
            && digits.chars().allMatch(digit -> digit >= '0' && digit <= '9');
    return isNumber
        ? Optional.of(Integer.valueOf(digits)).filter(EditPolicy::isInRange)
        : Optional.empty();
  }

  private static boolean isInRange(int blocks) {
    return blocks >= 1 && blocks <= MAX_BLOCKS;
  }
}
