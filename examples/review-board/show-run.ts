import type { WorkflowRun } from '@vizprompt/workflow';

/** Prints the progress of a run, until it is over. */
export async function showRun(run: WorkflowRun): Promise<void> {
  console.log(`run ${run.id}`);
  for await (const event of run) {
    switch (event.type) {
      case 'step:started':
        if (event.agent !== undefined) console.log(`… ${event.path}`);
        break;
      case 'step:ended': {
        const how = event.isReplayed ? ' (from the journal: not asked again)' : '';
        console.log(`✓ ${event.path}${how}\n${indented(event.output)}`);
        break;
      }
      case 'step:retried':
      case 'step:failed':
        console.log(`✗ ${event.path}: ${event.error.message}`);
        break;
      case 'budget:settled':
        console.log(`  ${event.spending.tokens} tokens, ${event.remaining.tokens} are left`);
        break;
      default:
    }
  }
  const { output } = await run.result;
  console.log(`\nThe board says:\n${indented(output)}`);
}

function indented(output: unknown): string {
  const text = typeof output === 'string' ? output : JSON.stringify(output, null, 2);
  return text.replaceAll(/^/gm, '  ');
}
