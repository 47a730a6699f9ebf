// Workers where they are those of the web.
import { LanguageError } from './error.mjs';
import { isolate } from './isolate.mjs';

/** The caller makes the worker, in the very words that bundlers look for. */
export function startWorker(_, make) {
  if (typeof Worker !== 'function') throw unsupported();
  const worker = make();
  return {
    post: (message) => worker.postMessage(message),
    listen(onMessage, onFailure) {
      worker.onmessage = ({ data }) => onMessage(data);
      worker.onerror = (event) => {
        event.preventDefault?.();
        onFailure('failed', event.message ?? 'the worker cannot be loaded.');
      };
      worker.onmessageerror = () => onFailure('failed', 'the result of the worker cannot be read.');
    },
    hold() {},
    release() {},
    end: () => worker.terminate(),
  };
}

/** JavaScript needs more than a worker: in one, `import()` of an address cannot be taken away. */
export function startJavascript() {
  if (typeof Worker !== 'function' || typeof document !== 'object') throw unsupported();
  return isolate();
}

function unsupported() {
  return new LanguageError('unavailable', 'Code cannot be isolated here: it needs workers, and JavaScript also a page.', 'unavailable');
}
