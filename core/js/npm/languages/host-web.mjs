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
        onFailure('failed', event.message ?? 'its worker cannot be loaded.');
      };
      worker.onmessageerror = () => onFailure('failed', 'its answer cannot be read.');
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
  return new LanguageError('unavailable', 'This runtime cannot keep code apart from the rest: it has no workers, or JavaScript is asked for and there is no page.', 'unavailable');
}
