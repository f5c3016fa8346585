package dev.upcall.bench.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.report.Section;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CodeLinesTest {
  @Test
  void blanksAndCommentsDoNotCount() {
    assertEquals(0, CodeLines.of(""));
    assertEquals(0, CodeLines.of("\n  \n// one\n/* two\n three */\n"));
    assertEquals(2, CodeLines.of("int a; // one\n/* two */ int b;"));
    assertEquals(1, CodeLines.of("/* one\n two */ int b; /* three\n*/\n"));
  }

  @Test
  void literalsAreNoComments() {
    assertEquals(2, CodeLines.of("String a = \"/*\";\nint b;\n"));
    assertEquals(2, CodeLines.of("String a = \"\\\"/*\";\nint b;\n"));
    assertEquals(2, CodeLines.of("char a = '\"';\nint b; /* c */\n"));
    assertEquals(2, CodeLines.of("char a = '\\'';\nint b; // c\n"));
    assertEquals(5, CodeLines.of("a = \"\"\"\n  // one\n  /* \"two\"\n  \"\"\";\nint b;\n"));
  }

  @Test
  void whatIsListedExistsAndIsCountedOnBothSides() throws Exception {
    CodeSize size = CodeSize.of(SourceTree.find().orElseThrow());
    assertTrue(size.lines(CodeSize.FSM) > 1000, size::toString);
    assertTrue(size.lines(CodeSize.THREADS) > 500, size::toString);
    assertTrue(size.restLines() > 1000, size::toString);
    for (String duty : size.duties()) {
      assertTrue(size.lines(duty, CodeSize.FSM) > 0, duty);
      assertTrue(size.lines(duty, CodeSize.THREADS) > 0, duty);
    }
  }

  @Test
  void withoutSourcesThereIsNoCount() throws Exception {
    Section section = new CodeSizeStudy(Optional.empty()).section();
    assertTrue(section.claims().isEmpty());
    assertTrue(section.notes().getFirst().contains("no sources"), section::toString);
  }
}
