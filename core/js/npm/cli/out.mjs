// Where a command speaks: its answer on standard output, everything else on standard error.
import { EXIT } from './errors.mjs';
import { style } from './style.mjs';
import { inline, safeJson, visible, wrapped } from './text.mjs';

/** After this long, work says how far it is; then so often. */
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
      // Whoever reads has read enough, as `head` does: that is no mistake of anyone.
      stream.on('error', (cause) => {
        if (cause.code === 'EPIPE') process.exit(EXIT.fine);
        if (stream === stdout) this.refuse({ code: 'unwritable-output', message: `The answer cannot be written: ${cause.message}`, details: {} });
        process.exit(EXIT.unread);
      });
    }
  }

  /** Columns for prose and tables; of a file or pipe there is no end. */
  get columns() {
    return this.isTerminal ? Math.max(this.#stdout.columns ?? 80, 40) : Infinity;
  }

  /** Text that is ready: its parts from records went through `visible`. */
  text(ready) {
    this.#clear();
    this.#stdout.write(ready);
  }

  line(ready = '') {
    this.text(`${ready}\n`);
  }

  /** Prose of a record, indented and wrapped. */
  prose(text, indent = '  ') {
    for (const line of wrapped(visible(text).trimEnd(), this.columns - indent.length)) this.line(`${indent}${line}`.trimEnd());
  }

  /** An answer as JSON: on a terminal for people, else in one line. */
  json(value) {
    this.line(safeJson(value, this.isTerminal ? 2 : undefined));
  }

  /** Bytes of an export: as they are in a file or pipe, made visible on a terminal. */
  async raw(piece) {
    this.#clear();
    // Taking a line of progress away would take the begun line with it.
    this.#isWithinLine = this.isTerminal && !piece.endsWith('\n');
    const isTaken = this.#stdout.write(this.isTerminal ? visible(piece) : piece);
    if (!isTaken) await new Promise((go) => this.#stdout.once('drain', go));
  }

  /** Something beside the answer. */
  aside(ready) {
    this.#clear();
    this.#stderr.write(ready);
  }

  /** A sentence beside the answer. */
  note(sentence) {
    if (this.isJson) this.aside(`${safeJson({ note: sentence })}\n`);
    else this.aside(`${this.asideStyle.dim('hindscope:')} ${inline(sentence)}\n`);
  }

  /** Why nothing came of it. */
  refuse({ code, message, hint, details }) {
    if (this.isJson) {
      this.aside(`${safeJson({ error: { code, message, ...(hint && { hint }), details } })}\n`);
      return;
    }
    const { red, dim } = this.asideStyle;
    this.aside(`${red('hindscope:')} ${visible(message)}\n${hint ? `  ${visible(hint)}\n` : ''}${dim(`  [${code}]`)}\n`);
  }

  /** How far long work is; only where someone looks, and not before it is long. */
  progress(say) {
    const now = Date.now();
    if (this.#stderr.isTTY !== true || this.#isWithinLine || now - this.#began < PATIENCE_MS || now - this.#progress < PULSE_MS) return;
    this.#progress = now;
    this.#isShown = true;
    this.#stderr.write(`\r\x1b[K${this.asideStyle.dim(inline(say()))}`);
  }

  /** Takes the line of progress away. */
  #clear() {
    if (this.#isShown) this.#stderr.write('\r\x1b[K');
    this.#isShown = false;
  }
}
