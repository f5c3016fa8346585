package dev.upcall.bench.largeobject.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class MixTest {
  @Test
  void aSeedIsTheSameTwice() {
    Mix mix = new Mix(1 << 20, 10_240, 500);
    List<Mark> marks = mix.run(Structure.eos(4), 3);
    assertEquals(marks, mix.run(Structure.eos(4), 3));
    assertEquals(List.of(200, 500), marks.stream().map(Mark::operations).toList());
  }

  @Test
  void marksComeSoonThenRegularlyAndAtTheEnd() {
    assertEquals(List.of(200, 2000, 4000, 6000, 8000, 10_000), StudySize.marks(10_000));
    assertEquals(List.of(200, 2000, 2500), StudySize.marks(2_500));
    assertEquals(List.of(40), StudySize.marks(40));
  }

  @Test
  void meansAreOfTheSameMark() {
    Mark mean = Mark.mean(List.of(new Mark(200, 0.5, 10, 20, 30), new Mark(200, 1, 20, 40, 50)));
    assertEquals(new Mark(200, 0.75, 15, 30, 40), mean);
    assertEquals(35, mean.updateMillis());
  }

  @Test
  void aClaimThatFailsSaysWhatIsNotSo() {
    Claim claim =
        new Judgement(/* decides= */ true)
            .within("the first", 0.5, 0.5, 1)
            .within("the second", 1.5, 0.5, 1)
            .need(false, "the third")
            .below("the fourth", 2, "the fifth", 1)
            .claim("X", "they said");
    assertEquals(Verdict.FAILS, claim.verdict());
    assertEquals(
        "The first 0.500; the second 1.500. Not so: the second 1.500, not 0.500 to 1.000; the third;"
            + " the fourth 2.000, not below the fifth 1.000.",
        claim.found());
    Claim holds = new Judgement(/* decides= */ true).show("We found").claim("X", "they said");
    assertEquals(Verdict.HOLDS, holds.verdict());
    assertEquals("We found.", holds.found());
  }

  @Test
  void ranksCorrelate() {
    List<Double> rising = List.of(1.0, 2.0, 5.0, 9.0);
    assertEquals(1, DeleteClaims.spearman(rising, List.of(10.0, 20.0, 21.0, 22.0)));
    assertEquals(0.8, DeleteClaims.spearman(rising, List.of(2.0, 1.0, 3.0, 4.0)), 1e-12);
    assertEquals(-1, DeleteClaims.spearman(rising, List.of(4.0, 3.0, 2.0, 1.0)));
  }

  @Test
  void aShortRunDecidesNothing() {
    Mixes mixes =
        new Mixes(StudySize.QUICK, new dev.upcall.bench.report.Pace(1, 1, () -> 0, _ -> {}));
    Claim claim = mixes.judgement().show("we found").claim("X", "they said");
    assertEquals(Verdict.UNDECIDED, claim.verdict());
    assertTrue(claim.found().contains("this run 400"), claim::found);
  }
}
