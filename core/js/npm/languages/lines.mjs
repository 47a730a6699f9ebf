// Messages between two processes: each is a line of JSON.

/** A longer line is refused. The longest answer has 2²⁶ characters, and JSON writes some of them as two. */
const MOST_LINE = 2 ** 28;

/** Gives each message of a stream to `receive`. Whatever else comes, for the other side may be hostile, goes to `refuse`. */
export function readLines(stream, receive, refuse) {
  let parts = [];
  let length = 0;
  stream.setEncoding('utf8');
  stream.on('data', (text) => {
    const [first, ...others] = text.split('\n');
    parts.push(first);
    length += first.length;
    for (const start of others) {
      const line = parts.join('');
      [parts, length] = [[start], start.length];
      let message;
      try {
        message = JSON.parse(line);
      } catch {
        return refuse();
      }
      if (message === null || typeof message !== 'object') return refuse();
      receive(message);
    }
    if (length > MOST_LINE) refuse();
  });
}

export function writeLine(stream, message, done) {
  stream.write(`${JSON.stringify(message)}\n`, done);
}
