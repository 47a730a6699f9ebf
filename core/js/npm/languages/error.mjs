// `#error` is the class that the other entries throw: in Node that of cjs/, which `import` and `require` share.
import { HindscopeError } from '#error';

export { followed, guarded, isSignal, messageOf } from '#error';

/** Why code of a loop gave no answer. */
export class LanguageError extends HindscopeError {
  /** `kind` is what a reply to the loop calls it. Without an engine no further round can do better. */
  constructor(code, message, kind = 'error') {
    super(code, message);
    this.kind = kind;
    this.fatal = kind === 'unavailable';
  }
}

Object.defineProperty(LanguageError.prototype, 'name', { value: 'LanguageError' });
