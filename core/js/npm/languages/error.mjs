/** Why code of a loop gave no answer. Its own class: it never meets the wasm, nor CommonJS. */
export class LanguageError extends Error {
  /** `kind` is what a reply to the loop calls it. Without an engine no further round can do better. */
  constructor(code, message, kind = 'error') {
    super(message);
    this.code = code;
    this.kind = kind;
    this.fatal = kind === 'unavailable';
  }
}

Object.defineProperty(LanguageError.prototype, 'name', { value: 'LanguageError' });
