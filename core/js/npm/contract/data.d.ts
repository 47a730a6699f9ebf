/**
 * What windows and the judgement of a record consist of.
 *
 * @module
 */
import type { Finding, Outcome, WindowPolicy } from '../data.js';

/**
 * One reflection of a window, with its text. Only the first three members are needed; layouts leave out what is absent.
 */
export interface WindowEntry {
  /** Number of the iteration that wrote it. */
  number: number;
  /** How that iteration ended. */
  outcome: Outcome;
  /** The text, untouched. */
  text: string;
  /** Insights; they count with the text in budgets and relevance. */
  insights?: string[];
  /** Lessons. */
  lessons?: string[];
  /** What the next attempt should do differently. */
  strategy?: string;
  /** Kind of reflection, in the writer's words. */
  kind?: string;
  /** How well it worked, in the writer's words. */
  effectiveness?: string;
  /** What was seen; absent: the text says it. */
  observation?: string;
  /** Why it happened. */
  analysis?: string;
  /** What follows from it. */
  learning?: string;
  /** What to do, in order. */
  actionItems?: string[];
  /** Tokens as the host counts them; absent: estimated. */
  tokens?: number;
}

/**
 * What to store beside a record, as its `memory_metadata` (`window/metadata`). Members are spelled as in the record.
 */
export interface MemoryMetadata {
  /** Ω in force; for a window of Ω 0 it is 1, the least that the schema allows. */
  omega_capacity: number;
  /** Reflections held. */
  current_memory_size: number;
  /** Their numbers, oldest first, the new record included. A token budget cuts prompts, not this. */
  reflections_in_context: number[];
  /** Policy. */
  window_policy: WindowPolicy;
  /** Reflections so far, one for each iteration that wrote any; the evicted ones count. */
  total_reflections_generated: number;
}

/** An Ω that suits a kind of work: advice to show beside the setting; nothing applies it. */
export interface OmegaAdvice {
  /** The kind of work. */
  situation: string;
  /** Ω that suits it. */
  omega: number;
}

/** How a record was judged, by a schema of ours or of a user. */
export interface JudgedRecord {
  /** Whether the schema accepts it, whatever the profile. */
  valid: boolean;
  /**
   * Whether it can be used: it is valid, or it deviates but has what matters. For reflection memory that is its number,
   * and a text or an outcome; for other kinds `lenient/unusable` says what. By a schema of your own, the same as
   * `valid`.
   */
  usable: boolean;
  /** All problems found in it, in the order of the document. */
  findings: Finding[];
}
