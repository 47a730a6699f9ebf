// Workers where they are those of the web.
import { LanguageError } from './error.mjs';

/** The caller makes the worker, in the very words that bundlers look for. */
export function startWorker(_, make) {
  if (typeof Worker !== 'function') throw new LanguageError('unavailable', 'Code cannot be isolated here: this runtime has no workers.', 'unavailable');
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
