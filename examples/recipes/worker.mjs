// A Worker of Cloudflare that remembers in a Durable Object what each agent learned: npm install hindscope
//
//   POST /NAME  with a record: stores it, or says what is wrong with it
//   GET /NAME   the last three reflections, as text for the next prompt
//
// In wrangler.toml:
//
//   main = "worker.mjs"
//   compatibility_date = "2025-01-01"
//   durable_objects.bindings = [{ name = "LESSONS", class_name = "Lessons" }]
//   migrations = [{ tag = "v1", new_sqlite_classes = ["Lessons"] }]
import { DurableObject } from 'cloudflare:workers';
import { validate, windowOf } from 'hindscope';

export class Lessons extends DurableObject {
  /** Keeps a record that a loop can use; gives what is wrong with it. */
  async keep(text) {
    const { usable, record, findings } = validate(text);
    // Ordered by its number, and replaced if the same iteration is sent again.
    if (usable) await this.ctx.storage.put(`record-${String(record.iteration).padStart(9, '0')}`, record);
    return { usable, findings: findings.map(({ rule, pointer, message }) => ({ rule, pointer, message })) };
  }

  /** The window as text. It is computed from the records, so nothing has to be freed. */
  async lessons() {
    const records = await this.ctx.storage.list({ prefix: 'record-' });
    return windowOf([...records.values()], { omega: 3 }).text;
  }
}

export default {
  async fetch(request, { LESSONS }) {
    const agent = LESSONS.get(LESSONS.idFromName(new URL(request.url).pathname));
    if (request.method !== 'POST') return new Response(await agent.lessons());
    const answer = await agent.keep(await request.text());
    return Response.json(answer, { status: answer.usable ? 200 : 422 });
  },
};
