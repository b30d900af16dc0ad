import { createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod';
import { ANSWER, STEPS_OF_SHORT_RUN } from './work.mjs';

const schema = z.object({ text: z.string() });

/** A chain of steps, in memory. */
export async function open({ steps }) {
  const chains = { long: chain(steps), short: chain(STEPS_OF_SHORT_RUN) };
  return {
    async run(name) {
      const run = await chains[name].createRun();
      const { result } = await run.start({ inputData: { text: '' } });
      if (result?.text !== ANSWER) throw new Error(`the run gave '${result?.text}'`);
    },
    close: async () => {},
  };
}

function chain(steps) {
  let workflow = createWorkflow({
    id: `chain-${steps}`,
    inputSchema: schema,
    outputSchema: schema,
  });
  for (let at = 0; at < steps; at++) {
    workflow = workflow.then(
      createStep({
        id: `step${at}`,
        inputSchema: schema,
        outputSchema: schema,
        execute: async () => ({ text: ANSWER }),
      }),
    );
  }
  return workflow.commit();
}
