// Takes from the realm of a worker whatever leads out of it, once its engine is loaded.

/** Globals of the language itself, and what engines use while they run. */
const KEPT = new Set([
  ...['Object', 'Array', 'Number', 'Boolean', 'String', 'Symbol', 'BigInt', 'Math', 'JSON', 'Reflect', 'Proxy', 'Date', 'RegExp'],
  ...['Promise', 'Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'FinalizationRegistry', 'Iterator', 'Intl'],
  ...['Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'SuppressedError'],
  ...['ArrayBuffer', 'SharedArrayBuffer', 'Atomics', 'DataView', 'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array'],
  ...['Uint16Array', 'Int32Array', 'Uint32Array', 'Float16Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array'],
  ...['Infinity', 'NaN', 'undefined', 'globalThis', 'isFinite', 'isNaN', 'parseFloat', 'parseInt', 'escape', 'unescape'],
  ...['decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'WebAssembly', 'TextDecoder', 'TextEncoder'],
  ...['performance', 'crypto', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'],
  ...['queueMicrotask', 'AbortController', 'AbortSignal', 'DOMException', 'Event', 'EventTarget', 'MessageChannel', 'MessagePort'],
]);

/** No text becomes code in this realm any more, and its globals reach nothing. */
export function disarmRealm() {
  const functions = [() => {}, async () => {}, function* () {}, async function* () {}];
  for (const made of functions) {
    Object.defineProperty(Object.getPrototypeOf(made), 'constructor', { value: undefined, writable: false, configurable: false });
  }
  for (let scope = globalThis; scope && scope !== Object.prototype; scope = Object.getPrototypeOf(scope)) {
    for (const key of Reflect.ownKeys(scope)) {
      if (KEPT.has(key)) continue;
      // Nothing is read on the way: since Node 22.16 even asking for the descriptor of a global that is
      // loaded on first use loads it, and that fails once other globals are gone.
      if (!Reflect.deleteProperty(scope, key)) Reflect.set(scope, key, undefined);
    }
  }
}

/** Intrinsics of this realm, frozen: someone who gets hold of one can change nothing for us. */
export function freezeRealm() {
  const open = [globalThis];
  const seen = new Set();
  while (open.length > 0) {
    const value = open.pop();
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue;
    seen.add(value);
    open.push(Object.getPrototypeOf(value));
    for (const key of Reflect.ownKeys(value)) {
      const { value: inner, get, set } = Object.getOwnPropertyDescriptor(value, key);
      open.push(inner, get, set);
    }
  }
  seen.delete(globalThis);
  for (const value of seen) {
    try {
      Object.freeze(value);
    } catch {
      // Views of memory cannot be frozen, and hold nothing.
    }
  }
}
