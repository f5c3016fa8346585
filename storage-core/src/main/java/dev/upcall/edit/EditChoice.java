package dev.upcall.edit;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * What is copied together when a file is edited in the middle, as an attribute of the file says it:
 * {@code eos T}, for {@link Eos} with a threshold of T blocks.
 *
 * @param thresholdBlocks T; with 1 nothing is copied but the rest of a block
 */
public record EditChoice(int thresholdBlocks) {
  /** The attribute; directories have it for what will be made in them. Its value is ASCII. */
  public static final String ATTRIBUTE = "edit-policy";

  /** Where nobody has chosen: edits cost what their bytes cost. */
  public static final EditChoice DEFAULT = new EditChoice(1);

  /** The largest threshold: an edit copies a few times as much at most. */
  public static final int MAX_THRESHOLD = 256;

  private static final String EOS = "eos ";
  private static final int MAX_DIGITS = 3;

  /** Checks the limit. */
  public EditChoice {
    if (thresholdBlocks < 1 || thresholdBlocks > MAX_THRESHOLD) {
      throw new IllegalArgumentException(
          "a threshold is 1 to %d blocks, not %d".formatted(MAX_THRESHOLD, thresholdBlocks));
    }
  }

  /** What attributes say; what a later version may understand, and this one does not: default. */
  public static EditChoice of(Map<String, byte[]> attributes) {
    byte[] value = attributes.get(ATTRIBUTE);
    return value == null ? DEFAULT : parse(value).orElse(DEFAULT);
  }

  /** The choice of a value; empty if it is none. */
  public static Optional<EditChoice> parse(byte[] value) {
    String text = new String(value, StandardCharsets.US_ASCII);
    String number = text.startsWith(EOS) ? text.substring(EOS.length()) : "";
    if (number.isEmpty()
        || number.length() > MAX_DIGITS
        || !number.chars().allMatch(digit -> digit >= '0' && digit <= '9')) {
      return Optional.empty();
    }
    int blocks = Integer.parseInt(number);
    return blocks >= 1 && blocks <= MAX_THRESHOLD
        ? Optional.of(new EditChoice(blocks))
        : Optional.empty();
  }

  /** The value of the attribute. */
  public byte[] value() {
    return (EOS + thresholdBlocks).getBytes(StandardCharsets.US_ASCII);
  }
}
