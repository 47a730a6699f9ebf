// A graph of LangGraph.js that keeps its reflections in its state: npm install hindscope @langchain/langgraph @langchain/core
//
// The state holds records, which are plain JSON, so any checkpointer can store it. The window is computed from
// them when a node needs it: there is nothing to free and nothing to restore.
//
//   const { answer, solved } = await graph({ ask, check }).invoke({ task: 'Name a prime above 90.' });
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { windowOf } from 'hindscope';

const State = Annotation.Root({
  task: Annotation(),
  answer: Annotation(),
  solved: Annotation(),
  /** One for each failure; a node returns the new ones. */
  records: Annotation({ reducer: (before, added) => before.concat(added), default: () => [] }),
});

/**
 * The graph: attempt, evaluate, reflect, and again. `ask` asks your model. `check` says what is wrong with an
 * answer, or gives nothing.
 */
export function graph({ ask, check, attempts = 3, checkpointer }) {
  return new StateGraph(State)
    .addNode('attempt', async ({ task, records }) => ({
      answer: await ask(`${task}\n\n${windowOf(records, { omega: 3 }).text}`),
    }))
    .addNode('evaluate', ({ answer }) => ({ solved: !check(answer) }))
    .addNode('reflect', async ({ task, answer, records }) => {
      const reflection_text = await ask(`${task}\nYour answer was: ${answer}\nWhat was wrong: ${check(answer)}\nWhat will you do differently?`);
      const record = { iteration: records.length, evaluator_output: { passed: false }, self_reflection: { reflection_text } };
      // What the record says about the window that it is in.
      return { records: [{ ...record, memory_metadata: windowOf([...records, record], { omega: 3 }).metadata }] };
    })
    .addEdge(START, 'attempt')
    .addEdge('attempt', 'evaluate')
    .addConditionalEdges('evaluate', ({ solved }) => (solved ? END : 'reflect'), ['reflect', END])
    .addConditionalEdges('reflect', ({ records }) => (records.length < attempts ? 'attempt' : END), ['attempt', END])
    .compile({ checkpointer });
}
