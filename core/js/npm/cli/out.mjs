// What a command prints: its result on standard output, everything else on standard error.
import { EXIT } from './errors.mjs';
import { style } from './style.mjs';
import { inline, safeJson, visible, wrapped } from './text.mjs';

/** Progress is shown after the first of these times, and then updated at the second. */
const PATIENCE_MS = 400;
const PULSE_MS = 100;

export class Out {
  isJson = false;
  #stdout;
  #stderr;
  #progress = 0;
  #began = Date.now();
  #isShown = false;
  #isWithinLine = false;

  constructor({ stdout, stderr, env }) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.isTerminal = stdout.isTTY === true;
    this.style = style(stdout, env);
    this.asideStyle = style(stderr, env);
    for (const stream of [stdout, stderr]) {
      // A reader such as `head` may stop before the end: that is no error.
      stream.on('error', (cause) => {
        if (cause.code === 'EPIPE') process.exit(EXIT.ok);
        if (stream === stdout) this.refuse({ code: 'unwritable-output', message: `Cannot write to standard output: ${cause.message}`, details: {} });
        process.exit(EXIT.io);
      });
    }
  }

  /** The width for text and tables; unlimited in a file or pipe. */
  get columns() {
    return this.isTerminal ? Math.max(this.#stdout.columns ?? 80, 40) : Infinity;
  }

  /** Prints a text as it is. Text of records must have gone through `visible` before. */
  text(ready) {
    this.#clear();
    this.#stdout.write(ready);
  }

  line(ready = '') {
    this.text(`${ready}\n`);
  }

  /** Prints a text of a record, indented and wrapped. */
  prose(text, indent = '  ') {
    for (const line of wrapped(visible(text).trimEnd(), this.columns - indent.length)) this.line(`${indent}${line}`.trimEnd());
  }

  /** Prints a result as JSON: indented on a terminal, else in one line. */
  json(value) {
    this.line(safeJson(value, this.isTerminal ? 2 : undefined));
  }

  /** Prints a piece of an export: unchanged in a file or pipe, safe for a terminal on a terminal. */
  async raw(piece) {
    this.#clear();
    // Clearing a progress line would clear the unfinished line with it.
    this.#isWithinLine = this.isTerminal && !piece.endsWith('\n');
    const isTaken = this.#stdout.write(this.isTerminal ? visible(piece) : piece);
    if (!isTaken) await new Promise((go) => this.#stdout.once('drain', go));
  }

  /** Prints to standard error. */
  aside(ready) {
    this.#clear();
    this.#stderr.write(ready);
  }

  /** Prints a sentence to standard error. */
  note(sentence) {
    if (this.isJson) this.aside(`${safeJson({ note: sentence })}\n`);
    else this.aside(`${this.asideStyle.dim('hindscope:')} ${inline(sentence)}\n`);
  }

  /** Prints why the command was not carried out. */
  refuse({ code, message, hint, details }) {
    if (this.isJson) {
      this.aside(`${safeJson({ error: { code, message, ...(hint && { hint }), details } })}\n`);
      return;
    }
    const { red, dim } = this.asideStyle;
    this.aside(`${red('hindscope:')} ${visible(message)}\n${hint ? `  ${visible(hint)}\n` : ''}${dim(`  [${code}]`)}\n`);
  }

  /** Shows the progress of long work, on terminals only. */
  progress(say) {
    const now = Date.now();
    if (this.#stderr.isTTY !== true || this.#isWithinLine || now - this.#began < PATIENCE_MS || now - this.#progress < PULSE_MS) return;
    this.#progress = now;
    this.#isShown = true;
    this.#stderr.write(`\r\x1b[K${this.asideStyle.dim(inline(say()))}`);
  }

  /** Removes the progress line. */
  #clear() {
    if (this.#isShown) this.#stderr.write('\r\x1b[K');
    this.#isShown = false;
  }
}
