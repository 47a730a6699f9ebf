// A loop whose model is a script, and the records that it leaves behind: tests/loop/records.jsonl
// holds them as they are written, so that pages and histories can be asked about them.

const PROFILES = [{ name: 'Ada' }, { name: 'Ada', email: 'ada at example.org' }, { name: 'Ada', email: 'ada@example.org' }];
const LESSONS = ['The email was forgotten: both keys are required.', 'An email needs an @ sign.'];

/** Options of the loop. Its clock is that of the script. */
export function scripted() {
  let minutes = 0;
  let corrections = 0;
  return {
    generate: ({ iteration }) => PROFILES[iteration - 1],
    evaluate: {
      type: 'schema',
      schemaScore: 'graded',
      verificationType: 'type_check',
      schema: {
        type: 'object',
        required: ['name', 'email'],
        properties: { name: { type: 'string' }, email: { type: 'string', format: 'email' }, nick: { type: 'string' } },
      },
    },
    correct: () => {
      const reflection = LESSONS[corrections];
      corrections += 1;
      return { context: { hint: reflection }, reflection };
    },
    maxIterations: 5,
    loopSuffix: '',
    memory: { name: 'Profile of Ada', taskDescription: 'Write the profile of Ada as JSON', omega: 2 },
    now: () => minutes * 60_000,
    at: () => {
      minutes += 1;
      return new Date(Date.UTC(2026, 2, 1, 9, minutes)).toISOString();
    },
  };
}

/** Records as a file of JSON Lines. */
export const lines = (records) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
