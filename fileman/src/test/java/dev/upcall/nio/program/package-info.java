/** Programs that know nothing of stores run on paths of one; some of them are killed. */
package dev.upcall.nio.program;
