// Runs one of the workflows beside this file.
//
//   OPENAI_BASE_URL=… OPENAI_API_KEY=… OPENAI_MODEL=… node run.mjs profile '{"person": "Ada Lovelace"}'
//
// The first word is the file's name, the JSON is the state. `run` is the same for other scripts; its
// model may be any function.
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { ReflectionFailedError, openaiChat, parseLoopConfig, reflectionLoop } from 'hindscope/loop';
import * as javascript from 'hindscope/languages/javascript';

/** Runs a workflow with a state; `options` are more options of the loop. */
export async function run(name, state, options = {}) {
  const yaml = await readFile(new URL(`${name}.yaml`, import.meta.url), 'utf8');
  const { config } = parseLoopConfig(yaml);
  return reflectionLoop({ llm: openaiChat({ retries: 2 }), languages: { javascript }, ...config, ...options, state });
}

async function main([name, state = '{}']) {
  const onEvent = ({ type, iteration, attempt }) => {
    if (type === 'evaluated') console.error(`round ${iteration}: ${attempt.valid ? 'accepted' : 'refused'}, score ${attempt.score}`);
  };
  try {
    const { success, stopReason, output, usage } = await run(name, JSON.parse(state), { onEvent });
    console.log(typeof output === 'string' ? output : JSON.stringify(output, null, 2));
    console.error(`${stopReason} after ${usage.calls.total} calls, ${usage.totalTokens} tokens`);
    process.exitCode = success ? 0 : 1;
  } catch (error) {
    console.error(error instanceof ReflectionFailedError ? `${error.message}\nbest: ${JSON.stringify(error.best)}` : error.message);
    process.exitCode = 2;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main(process.argv.slice(2));
