// A loop of your own around the client of OpenAI, which learns from its failures: npm install hindscope openai
//
//   const { answer, records } = await solve(new OpenAI(), { model: 'gpt-5', task: 'Name a prime above 90.', check });
import { windowOf } from 'hindscope';

/**
 * Asks until an answer passes. `client` is `new OpenAI()`; `check` says what is wrong with an answer, or gives
 * nothing. Store `records`, and hand them in again: the next call goes on with the lessons of this one.
 */
export async function solve(client, { model, task, check, attempts = 3, records = [] }) {
  const ask = async (content) => {
    const { choices } = await client.chat.completions.create({ model, messages: [{ role: 'user', content }] });
    return choices[0].message.content ?? '';
  };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const iteration = records.length;
    // The last three reflections, as text for a prompt; empty as long as there are no records.
    const lessons = windowOf(records, { omega: 3 }).text;
    const answer = await ask(`${task}\n\n${lessons}`);
    const problem = check(answer);
    if (!problem) return { answer, records };
    const reflection_text = await ask(
      `You were asked: ${task}\nYou answered: ${answer}\nThat is wrong: ${problem}\n` +
        'Say in one sentence what you will do differently.',
    );
    records = [...records, { iteration, evaluator_output: { passed: false }, self_reflection: { reflection_text } }];
  }
  return { answer: undefined, records };
}
