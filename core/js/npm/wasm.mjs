// The wasm of one entry: started once, whoever starts it first, and shared by all who import it.
import { HindscopeError, isOurs, messageOf } from './error.mjs';
import { handles } from './handle.mjs';
import { bytesIfAny, tag } from './input.mjs';

/** Functions that start the wasm of `glue` and call into it. */
export function wasmOf(glue) {
  let isReady = false;
  let notReady = 'The wasm is not loaded yet. Await `ready` of the entry, or `init` of its `/manual`, before the first call.';
  let resolveReady;
  let exports;

  /** Resolves once the wasm is started, by the entry or by its `/manual`. */
  const ready = new Promise((resolve) => {
    resolveReady = resolve;
  });

  /**
   * Calls into the wasm. All arguments are plain data by then, so no code of the caller runs inside it.
   * An exception that is not ours is therefore a crash, which may leave the object in an unknown state.
   */
  function ask(call) {
    if (!isReady) throw new HindscopeError('not-ready', notReady);
    try {
      return call(glue);
    } catch (cause) {
      if (isOurs(cause)) throw cause;
      const message = `The wasm has crashed: ${messageOf(cause)}. It is out of memory, or this is a bug in hindscope.`;
      throw new HindscopeError('crashed', message, {}, { cause });
    }
  }

  /** The memory of the wasm: another buffer each time that it has grown. */
  const memory = () => exports.memory.buffer;

  /** Starts the wasm from bytes, a module, a response or an address, or a promise of one of them. */
  async function start(source) {
    let given;
    try {
      given = await source;
      const module = isReady ? undefined : await compiled(given);
      instantiate(module);
    } catch (cause) {
      // Someone else may have started it meanwhile.
      if (!isReady) throw unstartable(given, cause);
    }
  }

  /** Starts the wasm from bytes or a module before it returns. */
  function startSync(source) {
    try {
      instantiate(isReady ? undefined : isModule(source) ? source : new WebAssembly.Module(wasmBytes(source)));
    } catch (cause) {
      throw unstartable(source, cause);
    }
  }

  // Compiled first and then instantiated synchronously: the glue's own asynchronous start would replace
  // an instance that was started meanwhile, and with it the memory of handles that are in use.
  function instantiate(module) {
    if (isReady) return;
    exports = glue.initSync({ module });
    isReady = true;
    resolveReady();
  }

  function unstartable(source, cause) {
    const path = tag(source) === 'URL' ? source.href : tag(source) === 'Response' ? source.url : '';
    const hint = path.startsWith('file:') ? ' If `fetch` cannot read file: addresses here, pass the bytes.' : '';
    notReady = `Cannot start the wasm${path && ` from ${path}`}: ${messageOf(cause)}${hint}`;
    return new HindscopeError('unreadable-input', notReady, path ? { path } : {}, { cause });
  }

  return { Handle: handles(ask), ask, memory, ready, start, startSync };
}

/**
 * Where a wasm is served. Vite's development server bundles scripts of packages into node_modules/.vite/deps; what
 * lies beside them stays in its folder.
 */
export function served(address, folder) {
  return new URL(address.href.replace('/.vite/deps/', `/hindscope/${folder}/`));
}

async function compiled(source) {
  if (isModule(source)) return source;
  if (tag(source) === 'URL') return compiled(await fetch(source));
  if (tag(source) !== 'Response') return WebAssembly.compile(wasmBytes(source));
  if (!source.ok) throw new Error(`the server answered with status ${source.status}`);
  const type = source.headers.get('content-type') ?? '';
  if (type.startsWith('text/html')) throw new Error('the server answered with an HTML page');
  // Streaming refuses other types, which plain servers send.
  const canStream = type === 'application/wasm' && 'compileStreaming' in WebAssembly;
  return canStream ? WebAssembly.compileStreaming(source) : WebAssembly.compile(await source.arrayBuffer());
}

function isModule(source) {
  return tag(source) === 'WebAssembly.Module';
}

function wasmBytes(source) {
  // Text is bytes everywhere else, but no wasm is text: this would be an address, or a mistake.
  const bytes = typeof source === 'string' ? undefined : bytesIfAny(source);
  if (bytes) return bytes;
  throw new Error('expected bytes, a WebAssembly.Module, a Response or a URL');
}
