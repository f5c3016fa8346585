package dev.upcall.specweb.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PlotTest {
  private static String plot(boolean logarithmic, double... numbers) {
    List<Plot.Point> points = new ArrayList<>();
    for (double number : numbers) {
      points.add(new Plot.Point(number, number, /* valid= */ number != 7));
    }
    return Plot.of(
            "a <drawing>",
            new Plot.Scale("across", logarithmic),
            new Plot.Scale("down", logarithmic),
            List.of(new Plot.Series("one & only", points)))
        .toString();
  }

  private static List<Double> across(String svg) {
    Matcher line = Pattern.compile("class=\"line\" d=\"M([^\"]*)\"").matcher(svg);
    assertTrue(line.find(), svg);
    List<Double> places = new ArrayList<>();
    for (String place : line.group(1).split("L", -1)) {
      places.add(Double.parseDouble(place.split(" ", -1)[0]));
    }
    return places;
  }

  @Test
  void equalRatiosAreEquallyLong() {
    List<Double> places = across(plot(/* logarithmic= */ true, 1, 10, 100, 1000));
    double step = places.get(1) - places.get(0);
    assertTrue(step > 100, places::toString);
    assertEquals(step, places.get(2) - places.get(1), 0.11);
    assertEquals(step, places.get(3) - places.get(2), 0.11);
  }

  @Test
  void equalDifferencesAreEquallyLong() {
    List<Double> places = across(plot(/* logarithmic= */ false, 0, 5, 10));
    assertEquals(places.get(1) - places.get(0), places.get(2) - places.get(1), 0.11);
  }

  @Test
  void ticksOfALogarithmicAxisAreRoundAndReachAllPoints() {
    String fine = plot(/* logarithmic= */ true, 3, 70);
    for (String tick : List.of(">2<", ">5<", ">10<", ">20<", ">50<", ">100<")) {
      assertTrue(fine.contains(tick), () -> tick + fine);
    }
    assertFalse(fine.contains(">1<"), fine);
    String coarse = plot(/* logarithmic= */ true, 1, 10_000);
    assertTrue(coarse.contains(">10,000<"), coarse);
    assertFalse(coarse.contains(">20<"), coarse);
  }

  @Test
  void whatCannotBeDrawnIsLeftOut() {
    assertEquals(2, across(plot(/* logarithmic= */ true, 0, 1, Double.NaN, 2)).size());
    assertFalse(plot(/* logarithmic= */ true).contains("class=\"line\""));
    assertTrue(across(plot(/* logarithmic= */ true, 4)).getFirst() >= 0);
  }

  @Test
  void textsAreEscapedAndPointsSayTheirNumbers() {
    String svg = plot(/* logarithmic= */ false, 7, 8);
    assertTrue(svg.contains("aria-label=\"a &lt;drawing&gt;\""), svg);
    assertTrue(svg.contains("<title>one &amp; only: 7 at 7 (invalid)</title>"), svg);
    assertTrue(svg.contains("class=\"mark invalid\""), svg);
    assertTrue(svg.contains("<title>one &amp; only: 8 at 8</title>"), svg);
  }

  @Test
  void dotsAreOnePathAndSayNothing() {
    String svg =
        draw(
            List.of(Plot.Series.dots("many", List.of(new Plot.Point(0, 1), new Plot.Point(1, 2)))));
    assertTrue(Pattern.compile("class=\"dots\" d=\"M[0-9. ]+h0M[0-9. ]+h0\"").matcher(svg).find());
    assertFalse(svg.contains("class=\"line\""), svg);
    assertFalse(svg.contains("<title>"), svg);
  }

  @Test
  void aLongLegendHasLinesAndNoTwoSeriesLookTheSame() {
    List<Plot.Series> series = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      series.add(new Plot.Series("a name that is long enough " + i, List.of(new Plot.Point(1, i))));
    }
    String svg = draw(series);
    assertTrue(svg.contains("viewBox=\"0 -32 720 372\""), svg);
    Matcher words = Pattern.compile("<text x=\"([0-9]+)\" y=\"(-?[0-9]+)\">a name").matcher(svg);
    Set<String> places = new HashSet<>();
    while (words.find()) {
      assertTrue(Integer.parseInt(words.group(2)) > -32, svg);
      places.add(words.group(1) + " " + words.group(2));
    }
    assertEquals(8, places.size(), svg);
    Matcher looks =
        Pattern.compile(
                "<g class=\"(c[0-9])\">.*?class=\"mark\"[^>]* d=\"([^\"]*)\"", Pattern.DOTALL)
            .matcher(svg);
    Set<String> seen = new HashSet<>();
    while (looks.find()) {
      seen.add(looks.group(1) + looks.group(2));
    }
    assertEquals(8, seen.size(), svg);
  }

  private static String draw(List<Plot.Series> series) {
    return Plot.of("a drawing", Plot.Scale.linear("across"), Plot.Scale.linear("down"), series)
        .toString();
  }

  @Test
  void axesEndAtRoundNumbers() {
    assertEquals(1, Plot.ceiling(0));
    assertEquals(1_000, Plot.ceiling(987));
    assertEquals(2_000, Plot.ceiling(1_001));
    assertEquals(0.25, Plot.ceiling(0.21), 1e-12);
    assertEquals(5, Plot.ceiling(5), 1e-12);
  }
}
