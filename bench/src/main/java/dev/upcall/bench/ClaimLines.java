package dev.upcall.bench;

import dev.upcall.bench.report.Claim;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** What the report said and what became of it, a line each, for a terminal. */
final class ClaimLines {
  private ClaimLines() {}

  static void print(PrintWriter out, List<Claim> claims) {
    for (Claim claim : claims) {
      out.printf(Locale.ROOT, "%-9s %-9s %s%n", claim.id(), claim.verdict().word(), claim.found());
    }
    out.flush();
  }
}
