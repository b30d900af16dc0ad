import { openStorage } from '@vizprompt/providers/node';
import { WorkflowEngine } from '@vizprompt/workflow';
import { ANSWER, STEPS_OF_SHORT_RUN } from './work.mjs';

/** A chain of steps that call a function, in memory or with each step in a journal on the disk. */
export async function open({ folder, steps }) {
  const storage = folder === undefined ? undefined : await openStorage(folder);
  const engine = await WorkflowEngine.open({
    files: { workflows: { long: chain(steps), short: chain(STEPS_OF_SHORT_RUN) } },
    functions: { answer: async () => ANSWER },
    ...(storage ? { storage } : {}),
  });
  return {
    async run(name) {
      const run = await engine.start(name, '');
      const { output } = await run.result;
      if (output !== ANSWER) throw new Error(`the run gave '${JSON.stringify(output)}'`);
    },
    async close() {
      await engine.close();
      await storage?.close();
    },
  };
}

function chain(steps) {
  return {
    limits: { steps: steps + 1 },
    steps: Array.from({ length: steps }, (_, at) => ({
      id: `step${at}`,
      type: 'function',
      function: 'answer',
      input_variables: { text: at === 0 ? 'user_input' : 'text' },
      output_variable: 'text',
    })),
  };
}
