// A server of chat completions on this machine.
import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * Serves until the test ends; `answer` gets a request and its body, and gives the content, or nothing to
 * let it wait. Pages of other origins may ask, and `/moved` sends elsewhere. Gives its address.
 */
export async function completions(t, answer) {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*, authorization');
    if (request.method === 'OPTIONS') return response.writeHead(204).end();
    if (request.url.startsWith('/moved')) return response.writeHead(307, { location: '/v1/chat/completions' }).end();
    const content = answer(request, body);
    if (content === undefined) return undefined;
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ choices: [{ message: { content } }], usage: { total_tokens: 9 } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}
