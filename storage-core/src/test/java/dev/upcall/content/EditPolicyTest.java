package dev.upcall.content;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an attribute says, and what none says. */
class EditPolicyTest {
  private static Optional<EditPolicy> parsed(String text) {
    return EditPolicy.parse(text.getBytes(US_ASCII));
  }

  @Test
  void whatIsSaidIsUnderstood() {
    for (int blocks : new int[] {1, 9, 10, 256}) {
      assertEquals(Optional.of(new EditPolicy.Eos(blocks)), parsed("eos " + blocks));
      assertEquals(Optional.of(new EditPolicy.Esm(blocks)), parsed("esm " + blocks));
      assertEquals("eos " + blocks, new EditPolicy.Eos(blocks).text());
      assertEquals("esm " + blocks, new EditPolicy.Esm(blocks).text());
    }
    assertEquals(Optional.of(new EditPolicy.Starburst()), parsed("starburst"));
    assertEquals("starburst", new String(new EditPolicy.Starburst().value(), US_ASCII));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "none",
        "eos",
        "eos ",
        "eos 0",
        "eos 257",
        "eos 1234567890",
        "eos  4",
        "eos 4 ",
        "eos +4",
        "eos -1",
        "EOS 4",
        "esm 0",
        "esm 4k",
        "starburst 4",
        "starburst ",
        "lob 4"
      })
  void whatIsNotSaidIsNoPolicy(String text) {
    assertEquals(Optional.empty(), parsed(text));
    assertEquals(
        EditPolicy.NONE, EditPolicy.of(Map.of(EditPolicy.ATTRIBUTE, text.getBytes(US_ASCII))));
  }

  @Test
  void withoutAnAttributeThereIsNone() {
    assertEquals(EditPolicy.NONE, EditPolicy.of(Map.of()));
    assertEquals(0, EditPolicy.NONE.value().length);
    assertEquals("none", EditPolicy.NONE.text());
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 257, Integer.MAX_VALUE})
  void blocksHaveALimit(int blocks) {
    assertThrows(IllegalArgumentException.class, () -> new EditPolicy.Eos(blocks));
    assertThrows(IllegalArgumentException.class, () -> new EditPolicy.Esm(blocks));
  }
}
