package dev.upcall.bench.report;

import dev.upcall.bench.harness.Lab;

/**
 * Where studies are made.
 *
 * @param lab processes and scratch files
 * @param size how much is measured
 * @param pace who is told how far it is
 */
record Workbench(Lab lab, Size size, Pace pace) {}
