/** Why code of a loop gave no answer. Its own class: it never meets the wasm, nor CommonJS. */
export class LanguageError extends Error {
  /** `kind` is what a reply to the loop calls it. */
  constructor(code, message, kind = 'error') {
    super(message);
    this.code = code;
    this.kind = kind;
  }
}

Object.defineProperty(LanguageError.prototype, 'name', { value: 'LanguageError' });
