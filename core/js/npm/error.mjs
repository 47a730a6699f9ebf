// The one error class. The wasm throws it for misuse of the core (core/js/src/error.rs), the
// other files here for what never reaches the core.

/** Codes that only this package has, beside those of the core. */
export const FACE_CODES = Object.freeze(['crashed', 'freed', 'invalid-record', 'no-such-group', 'not-ready', 'store-denied', 'store-failed', 'store-full', 'store-locked', 'store-missing', 'unreadable-input']);

/**
 * Whether a caught value is one of ours. Asked by a private member: what callers throw may be a
 * proxy, and `instanceof` would ask it.
 */
export let isOurs;

export class HindscopeError extends Error {
  #ours;

  static {
    isOurs = (value) => typeof value === 'object' && value !== null && #ours in value;
  }

  constructor(code, message, details = {}, options = undefined) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

// On the prototype, so that it is no own member beside code and details.
Object.defineProperty(HindscopeError.prototype, 'name', { value: 'HindscopeError' });

/**
 * What a call gives. Objects of callers may throw when they are looked at: whatever is not ours becomes the
 * error that `made` gives for it.
 */
export function guarded(call, made) {
  try {
    return call();
  } catch (cause) {
    throw isOurs(cause) ? cause : made(cause);
  }
}

/** Whether it has what an AbortSignal is used for here. Looking may throw. */
export function isSignal(value) {
  return ['addEventListener', 'removeEventListener'].every((method) => typeof value?.[method] === 'function');
}

/**
 * Calls `act` when a signal is aborted, at once if it is already. Gives what ends that, which never throws: by then
 * there is a result, and it must not get lost. A signal that cannot be listened to becomes the error that `made` gives.
 */
export function followed(signal, act, made) {
  if (!signal) return () => {};
  guarded(() => {
    if (signal.aborted) act();
    signal.addEventListener('abort', act, { once: true });
  }, made);
  return () => {
    try {
      signal.removeEventListener('abort', act);
    } catch {
      // The signal is no longer needed, so this changes nothing.
    }
  };
}

/** What a caught value says. Anything can be thrown, and even asking it can throw. */
export function messageOf(cause) {
  try {
    return String(cause instanceof Error ? cause.message : cause);
  } catch {
    return 'an exception without a message';
  }
}
