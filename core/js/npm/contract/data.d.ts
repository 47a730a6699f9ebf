/**
 * What windows and the judgement of a record consist of.
 *
 * @module
 */
import type { CountTokens } from './window.js';
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

/** How a window is computed. */
export interface WindowRule {
  /**
   * Ω, how many reflections are held, 0 to 10. Absent: 3, and for runs as recorded, else as assumed for the format
   * (`window/provenance`).
   */
  omega?: number | null;
  /** Which reflections stay. Default `fifo`. */
  policy?: WindowPolicy | null;
  /** Whether reflections of successful iterations are left out: they are neither held nor evicted. Default false. */
  failuresOnly?: boolean | null;
  /**
   * Most tokens of what is held, cut after Ω from the newest on (`window/token-budget`); absent: no limit. Where nobody
   * counts them, four UTF-16 code units are one.
   */
  tokenBudget?: number | null;
  /** Iterations after which relevance counts half, above 0. Default 3. */
  halfLife?: number | null;
  /**
   * Whether Ω follows from the number of failure categories so far (`window/dynamic-omega`), and not from `omega`.
   * Default false.
   */
  dynamicOmega?: boolean | null;
  /** Counts tokens for `tokenBudget`. Default: an estimate. */
  countTokens?: CountTokens | null;
}

/** What a layout says beside the reflections, and how. */
export interface RenderOptions {
  /**
   * Whether inner lines stay as they are. Otherwise, in layouts with headings, one that starts with `#` gets a
   * backslash, so that a reflection cannot open a section of its own. Default false.
   */
  verbatim?: boolean | null;
  /** `reflexion-alfworld`: whether numbers are as written, and not positions in the window. Default false. */
  absoluteNumbers?: boolean | null;
  /** `aiwg-template`: finished attempts before the one that begins; absent: as known. */
  attempts?: number | null;
  /** `reflexion-alfworld`: the task; absent: as known, else its heading is left out, too. */
  task?: string | null;
  /** `aiwg-memory`: reflections so far; absent: as known, else those in the window. */
  total?: number | null;
  /** `aiwg-memory`: Ω, 0 to 10; absent: as known, else `unbounded`. */
  omega?: number | null;
}

/** How a loop is doing, for {@link autoScale}. */
export interface LoopPace {
  /** Failures in a row, up to now. Default 0. */
  consecutiveFailures?: number | null;
  /** Mean quality of the reflections in the window, 0..1; 0 says that there is none. Default 0. */
  meanQuality?: number | null;
  /** Iterations that the last task took; 0 says that none was finished. Default 0. */
  iterationsToFinish?: number | null;
}
