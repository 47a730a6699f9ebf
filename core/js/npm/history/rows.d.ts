/**
 * Rows of a history: its sources, groups, and the places of records.
 *
 * @module
 */
import type { SourceState } from '../types.js';

/** One opened file. */
export interface SourceView {
  /** Its id. */
  id: number;
  /** Name with its folders, `/` between them. */
  path: string;
  /** Format id, once recognised. */
  format?: string;
  /** Why it was taken for that: which test fits how many of its first records. */
  why?: string;
  /** `json`, `json-array`, `jsonl`, `yaml`, `csv`, `markdown` or `text`, once known. */
  framing?: 'json' | 'json-array' | 'jsonl' | 'yaml' | 'csv' | 'markdown' | 'text';
  /** How its text is encoded. */
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  /** Bytes read so far. */
  bytes: number;
  /**
   * XXH3 64 of its bytes as they were handed in, seed 0, as 16 lower-case hex digits. Absent while
   * it is read, and where its end was not reached. Of a source out of an export, that of the file that
   * it was exported from.
   */
  digest?: string;
  /** How far reading has come. */
  state: SourceState;
  /** Why it is raw or refused. */
  reason?: string;
  /** Records that can be used, repaired ones included. */
  kept: number;
  /** Records among them that had to be repaired first. */
  repaired: number;
  /** Records that could not be read, each with a finding. */
  skipped: number;
}

/** What was given, added up over all sources. */
export interface SourceTotals {
  /** Sources that were opened. */
  sources: number;
  /** Records that can be used, repaired ones included. */
  kept: number;
  /** Records among the kept ones that had to be repaired first. */
  repaired: number;
  /** Records that could not be read or are of no known format; findings say where. */
  skipped: number;
  /** Sources among them that are refused: their bytes are not interpreted. */
  refused: number;
  /** Bytes read, of all sources. */
  bytes: number;
}

/** Where a record stands in its source. */
export interface RecordSpan {
  /** The record. */
  record: number;
  /** Its source. */
  source: number;
  /** Path of the source. */
  path: string;
  /** First byte, from 0, in the source as stored. */
  start: number;
  /** The byte after the last one. */
  end: number;
  /** Line of the first byte, from 1. */
  line: number;
  /** Column of the first byte, from 1, in UTF-16 code units. */
  column: number;
}

/** Runs of one experiment or folder. */
export interface GroupView {
  /** Its id. */
  id: number;
  /** Folder, or file. */
  label: string;
  /** Format of its runs. */
  format: string;
  /** Runs in it. */
  runs: number;
  /** Those that say how any of their attempts ended. */
  judged: number;
  /** Reflections in all of them. */
  reflections: number;
  /** Numbers of the attempts that any run made, ascending; a missing file leaves a gap. A tree search is one attempt. */
  numbers: number[];
  /**
   * Runs solved at or before each of `numbers`, carried ones included. Empty when no run has an
   * outcome.
   */
  solvedAfter: number[];
  /** Runs that had an attempt of their own at each of `numbers`. */
  attempted: number[];
}
