/**
 * A model behind any endpoint that speaks the chat completions of OpenAI.
 *
 * @module
 */
import type { ModelMessage } from './loop.js';
import { HindscopeError, type ModelErrorCode } from '../types.js';

/** Where the model is, and how it is asked. */
export interface ChatOptions {
  /** The address without `/chat/completions`. Default: `OPENAI_BASE_URL`, else that of OpenAI. */
  baseUrl?: string | URL;
  /** The API key, which no error message contains. Default: `OPENAI_API_KEY`. */
  apiKey?: string;
  /** The model for requests that name none. Default: `OPENAI_MODEL`. */
  model?: string;
  /** How long one answer may take, in milliseconds. Default 120,000. */
  timeoutMs?: number;
  /** How often a request is sent again after a `retryable` error. Default 0. A loop has its own `retry`. */
  retries?: number;
  /** Whether the answer is streamed, so that a lost connection is noticed. Default false. */
  stream?: boolean;
  /** Further headers of each request. */
  headers?: Record<string, string>;
  /** What makes the requests. Default: that of the runtime. */
  fetch?: typeof fetch;
}

/** A function for `llm` of a loop. */
export interface ChatModel {
  /** `prompt`, `system` and `messages` are sent as messages; other members as they are. */
  (request: Record<string, unknown>, call?: { readonly signal?: AbortSignal }): Promise<ModelMessage>;
  /** The model for requests that name none. */
  readonly model?: string;
}

/**
 * A model for the `llm` of a loop.
 *
 * @throws {@link ModelError} `config` for options that make no sense.
 *
 * @example A server of your own
 * ```js
 * import { createServer } from 'node:http';
 * import { openaiChat, reflectionLoop } from 'hindscope/loop';
 *
 * const server = createServer((request, response) => {
 *   response.setHeader('content-type', 'application/json');
 *   response.end(JSON.stringify({ choices: [{ message: { content: '{"name": "Ada"}' } }], usage: { total_tokens: 9 } }));
 * }).listen(0, '127.0.0.1', async () => {
 *   const llm = openaiChat({ baseUrl: `http://127.0.0.1:${server.address().port}/v1`, model: 'tiny' });
 *   const { output, usage } = await reflectionLoop({
 *     generator: { action: 'llm.call', prompt: 'A profile as JSON' },
 *     evaluator: { schema: { type: 'object', required: ['name'] } },
 *     llm,
 *   });
 *   console.log(output, usage.totalTokens); // → { name: 'Ada' } 9
 *   server.close();
 *   server.closeAllConnections();
 * });
 * ```
 */
export function openaiChat(options?: ChatOptions): ChatModel;

/**
 * Why a model gave no answer: `status` (the server answered with an error status),
 * `timeout`, `connection`, `answer` (the response holds no usable answer), `aborted`, `config`.
 *
 * @example No server at the address
 * ```js
 * import { ModelError, openaiChat } from 'hindscope/loop';
 *
 * const llm = openaiChat({ baseUrl: 'http://127.0.0.1:9/v1', model: 'tiny' });
 * const error = await llm({ prompt: 'Hello' }).catch((error) => error);
 * console.log(error instanceof ModelError, error.code, error.kind, error.fatal); // → true connection unavailable true
 * ```
 */
export class ModelError extends HindscopeError {
  /** The name of the class. */
  readonly name: 'ModelError';
  /** Why there is no answer. */
  readonly code: ModelErrorCode;
  /** How the call failed, as a loop is told. */
  readonly kind: 'error' | 'timeout' | 'unavailable' | 'cancelled';
  /** Whether the same request may be answered later. */
  readonly retryable: boolean;
  /** Whether trying again cannot help (status 400, 401, 403, 404, no server at the address, `config`): a loop ends at once. */
  readonly fatal: boolean;
  /** The least to wait before, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The HTTP status, where the server answered. */
  readonly status?: number;
}
