package dev.upcall.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names for a person. */
class PrintableTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"", "plain name.txt", "é日本語 عربى עברית", "全角\u3000空白", "\uD83D\uDE00", "a/b-c_d~"})
  void of_visibleText_isItself(String text) {
    assertSame(text, Printable.of(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "000a|\\n",
        "0009|\\t",
        "000d|\\r",
        "001b|\\x1b",
        "007f|\\x7f",
        "009b|\\x9b",
        "005c|\\\\",
        "00a0|\\xa0",
        "00ad|\\xad",
        "061c|\\u{61c}",
        "034f|\\u{34f}",
        "115f|\\u{115f}",
        "180e|\\u{180e}",
        "200b|\\u{200b}",
        "200f|\\u{200f}",
        "2028|\\u{2028}",
        "2029|\\u{2029}",
        "202e|\\u{202e}",
        "202f|\\u{202f}",
        "2066|\\u{2066}",
        "2800|\\u{2800}",
        "3164|\\u{3164}",
        "feff|\\u{feff}",
        "ffa0|\\u{ffa0}",
        "fe0f|\\u{fe0f}",
        "fff9|\\u{fff9}",
        "e0041|\\u{e0041}",
        "e0100|\\u{e0100}",
        "d800|\\u{d800}",
      })
  void of_characterThatNobodySees_isAnEscape(String point, String shown) {
    String text = Character.toString(Integer.parseInt(point, 16));
    assertEquals("a" + shown + "b", Printable.of("a" + text + "b"));
  }

  @Test
  void of_nameThatLooksLikeAnEscape_differsFromTheEscape() {
    assertEquals("\\\\n", Printable.of("\\n"));
    assertEquals("\\n", Printable.of("\n"));
  }

  @Test
  void of_differentCharacters_isDifferent() {
    Map<String, Integer> seen = new HashMap<>();
    for (int point = 0; point <= Character.MAX_CODE_POINT; point++) {
      int now = point;
      seen.merge(
          Printable.of(Character.toString(point)),
          point,
          (one, other) -> {
            throw new AssertionError(Integer.toHexString(one) + " and " + Integer.toHexString(now));
          });
    }
    assertEquals(Character.MAX_CODE_POINT + 1, seen.size());
  }
}
