/** A real process that writes is killed again and again; what it acknowledged is compared. */
package dev.upcall.cli.crash;
