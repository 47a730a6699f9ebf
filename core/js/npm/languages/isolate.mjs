// JavaScript on a page: a worker in a sandboxed frame of an origin of its own, whose policy allows
// no connection and no script from anywhere. So `import()` and whatever else a browser may grow
// ends at the browser, not at a list of ours.
import { LanguageError } from './error.mjs';

const POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:";

/** A frame that has not answered after this time counts as failed. */
const START_MS = 10_000;

/** The script of the worker in the frame. As text: bundlers put names of their own into functions. */
const GUEST = String.raw`
const post = self.postMessage.bind(self);
const { parse, stringify } = JSON;
const fail = (cause) => {
  let message;
  try {
    message = cause instanceof Error ? cause.name + ': ' + cause.message : 'thrown: ' + stringify(cause);
  } catch {
    message = 'an exception without a message';
  }
  post({ type: 'failure', code: 'failed', message });
};
const say = (value) => {
  try {
    const text = stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? 'null';
    post({ type: 'answer', text });
  } catch (cause) {
    fail(cause);
  }
};
const Code = Function;
self.onmessage = ({ data: { code, state, output } }) => {
  self.onmessage = null;
  try {
    const body = code + "\n;return typeof result === 'undefined' ? undefined : result;";
    const value = output === undefined ? Code('state', body)(parse(state)) : Code('state', 'output', body)(parse(state), parse(output));
    if (value !== null && typeof value === 'object' && typeof value.then === 'function') Promise.resolve(value).then(say, fail);
    else say(value);
  } catch (cause) {
    fail(cause);
  }
};
post({ type: 'ready' });
`;

/** The script of the frame: passes messages between the page and the worker. */
const FRAME = String.raw`(source) => addEventListener('message', ({ ports: [port] }) => {
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
  worker.onmessage = ({ data }) => port.postMessage(data);
  worker.onerror = (event) => port.postMessage({ type: 'failure', code: 'failed', message: event.message });
  port.onmessage = ({ data }) => worker.postMessage(data);
}, { once: true })`;

export function isolate() {
  const place = document.createElement('iframe');
  place.setAttribute('sandbox', 'allow-scripts');
  place.hidden = true;
  // A block of its own: what stands in it is none of the code's. `<` could end the script element.
  const source = JSON.stringify(`{${GUEST}}`).replaceAll('<', '\\u003c');
  const script = `(${FRAME})(${source})`;
  place.srcdoc = `<meta http-equiv="Content-Security-Policy" content="${POLICY}"><script>${script}</script>`;
  const { port1: port, port2: theirs } = new MessageChannel();
  let onFailure = () => {};
  const timer = setTimeout(() => onFailure('unavailable', 'the content security policy of this page does not allow frames with scripts.'), START_MS);
  place.addEventListener('load', () => place.contentWindow.postMessage(null, '*', [theirs]), { once: true });
  if (!document.documentElement) throw new LanguageError('unavailable', 'JavaScript needs a page, and there is none.', 'unavailable');
  document.documentElement.append(place);
  return {
    // The worker is loading from its start on.
    post: (message) => message.type === 'run' && port.postMessage(message),
    listen(onMessage, fail) {
      onFailure = fail;
      port.onmessage = ({ data }) => {
        clearTimeout(timer);
        onMessage(data);
      };
    },
    hold() {},
    release() {},
    end() {
      clearTimeout(timer);
      port.close();
      place.remove();
    },
  };
}
