package dev.upcall.bench.ecommerce.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PagePlacesTest {
  private static final int PAGES = 1000;

  @Test
  void everyPageHasOnePlaceHoweverOftenItMoves() {
    PagePlaces places = new PagePlaces(PAGES, PAGES + PAGES / 4);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      int page = random.nextInt(PAGES);
      int before = places.block(page);
      int moved = places.move(page);
      assertEquals(moved, places.block(page));
      assertTrue(moved != before, "written over at " + before);
    }
    for (int page = 0; page < PAGES; page++) {
      assertEquals(page, places.page(places.block(page)));
    }
  }

  @Test
  void whatIsWrittenTogetherLiesTogether() {
    PagePlaces places = new PagePlaces(PAGES, PAGES + PAGES / 4);
    int first = places.move(7);
    for (int i = 1; i < 200; i++) {
      assertEquals(first + i, places.move(7 + 3 * i));
    }
  }

  @Test
  void aFullVolumeStillMovesWhatItHas() {
    PagePlaces places = new PagePlaces(PAGES, PAGES + 1);
    for (int page = 0; page < PAGES; page++) {
      places.move(page);
      assertEquals(page, places.page(places.block(page)));
    }
    assertThrows(IllegalArgumentException.class, () -> new PagePlaces(PAGES, PAGES));
  }
}
