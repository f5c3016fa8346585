package dev.upcall.sim.store.campaign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.sim.store.plan.Canary;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class SimCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    CommandLine line = SimCommand.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(args);
  }

  private static void assertHas(String part, StringWriter text) {
    assertTrue(text.toString().contains(part), () -> part + " is not in: " + text);
  }

  @ParameterizedTest
  @CsvSource({
    "--seeds=0, '--seeds must be at least 1, not 0'",
    "--seconds=-1, '--seconds must be at least 1, not -1'",
    "--threads=0, '--threads must be at least 1, not 0'",
    "--seed=x, 'is not a long'",
    "--replay=x --json, '--replay takes --canary and nothing else'",
    "--replay=pom.xml, 'pom.xml is no directory'",
    "--canary=PARROT, 'CHECKSUM_NOT_CHECKED'",
    "--sedes=1, 'Unknown option'"
  })
  void wrongUsageIsExplained(String wrong, String message) {
    assertEquals(2, run(wrong.split(" ")));
    assertHas(message, err);
  }

  @Test
  void oneSeedIsReportedWithItsTransitionsAndFaults() {
    assertEquals(0, run("--seed", "7"));
    assertHas("READING_SUPERBLOCK -> LOADING_MAP (superblock found)", out);
    assertHas("crash", out);
    assertHas("1 lifetimes in", out);
  }

  @Test
  void jsonSaysTheSame() {
    assertEquals(0, run("--seed", "7", "--seeds", "3", "--threads", "2", "--json"));
    assertHas("{\"firstSeed\":7,\"lifetimes\":3,\"failures\":0,\"threads\":2,", out);
    assertHas("\"Recovery\":[{\"from\":\"NEW\",\"to\":\"READING_SUPERBLOCK\"", out);
  }

  @Test
  void whatFailsNamesItsSeedAndTheCommandThatRepeatsIt() {
    String canary = Canary.ACKNOWLEDGED_BEFORE_DURABLE.name();
    assertEquals(0, run("--seed", "1", "--seeds", "50", "--threads", "1", "--canary", canary));
    assertHas("1 failed", out);
    String story = out.toString();
    String seed = story.replaceAll("(?s).*\n1 x seed ([0-9]+): .*", "$1");
    assertHas("replay: ./upcall-sim --seed " + seed + " --canary " + canary, out);
  }

  @Test
  void aSeedIsRecordedAndReplayed(@TempDir Path here) {
    assertEquals(0, run("--seed", "7", "--record", here.toString()));
    Path recording = here.resolve("seed-7");
    assertHas("recorded: ./upcall trace replay " + recording, out);
    assertEquals(0, run("--replay", recording.toString()));
    assertHas("All records are the same.", out);
    String canary = Canary.ACKNOWLEDGED_BEFORE_DURABLE.name();
    assertEquals(1, run("--replay", recording.toString(), "--canary", canary));
    assertHas("The first transition that differs, record ", out);
  }

  @Test
  void aCampaignRecordsWhatFails(@TempDir Path here) {
    String canary = Canary.ACKNOWLEDGED_BEFORE_DURABLE.name();
    String folder = here.toString();
    assertEquals(0, run("--seed=1", "--seeds=50", "--canary", canary, "--record", folder));
    String said = out.toString();
    String recording = said.replaceAll("(?s).*recorded: ./upcall trace replay (\\S+).*", "$1");
    assertTrue(recording.startsWith(folder), said);
    assertEquals(0, run("--replay", recording));
    assertHas("The end is the same: failed, ", out);
  }
}
