// A loop whose model is one of the AI SDK: npm install hindscope ai @ai-sdk/openai
//
//   const { output } = await slogan(openai('gpt-5'), 'tea');
import { generateText } from 'ai';
import { reflectionLoop } from 'hindscope/loop';

/** Writes a slogan of at most 20 characters. `model` is any model of the AI SDK, such as `openai('gpt-5')`. */
export function slogan(model, thing) {
  return reflectionLoop({
    async generate({ feedback, signal, usage }) {
      const { text, totalUsage } = await generateText({
        model,
        // What was wrong with the attempts so far; empty at the first one.
        prompt: `Write a slogan for ${thing}. Answer with nothing else.\n\n${feedback}`,
        abortSignal: signal, // ends the request when the time of the call is over
        maxRetries: 0, // the loop tries again by itself, and counts it
      });
      usage(totalUsage); // for `budget`, and for `usage` of the result
      return text;
    },
    evaluate: ({ output }) => output.length <= 20 || `has ${output.length} characters; at most 20 are allowed`,
    maxIterations: 4,
    callTimeoutMs: 30_000,
    retry: { max: 2 },
    budget: { tokens: 10_000 },
  });
}
