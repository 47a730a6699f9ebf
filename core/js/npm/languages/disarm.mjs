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

/** A page of memory of wasm, in bytes. */
const PAGE = 2 ** 16;

/**
 * From now on each memory of an engine grows by `memoryMb` at most. Engines ask for memory by `grow`, and hear what they would
 * hear from a machine that has none left. Gives whether that has happened since it was last asked.
 */
export function limitMemory(memoryMb) {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  const most = new WeakMap();
  let wasRefused = false;
  prototype.grow = function (pages) {
    if (!most.has(this)) most.set(this, this.buffer.byteLength + memoryMb * 2 ** 20);
    if (this.buffer.byteLength + pages * PAGE > most.get(this)) {
      wasRefused = true;
      throw new RangeError('The limit of memory is reached.');
    }
    const before = grow.call(this, pages);
    // Engines ask for much first, and are content with less.
    wasRefused = false;
    return before;
  };
  return () => {
    const was = wasRefused;
    wasRefused = false;
    return was;
  };
}
