// The inside of a worker of the web.
const post = globalThis.postMessage.bind(globalThis);

export const channel = {
  post,
  listen(receive) {
    globalThis.addEventListener('message', ({ data }) => receive(data));
  },
};

/** Nothing is installed on the web: engines come from addresses. */
export function installed() {
  return undefined;
}
