package dev.upcall.bench.report;

import dev.upcall.specweb.document.Markup;

/**
 * What a report is about.
 *
 * @param kind for programs
 * @param title of the window
 * @param heading above the page
 * @param introduction what is made again, and how
 * @param source who says what is looked at here: the report, the paper
 */
public record Cover(
    String kind, String title, String heading, Markup introduction, String source) {}
