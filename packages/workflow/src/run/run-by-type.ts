import type { Step } from '../definition/step.ts';
import { runActivity } from './steps/activity-step.ts';
import { runAgent } from './steps/agent-step.ts';
import { runBranch } from './steps/branch-step.ts';
import { runForeach } from './steps/foreach-step.ts';
import { runFunction } from './steps/function-step.ts';
import { runHuman } from './steps/human-step.ts';
import { runLoop } from './steps/loop-step.ts';
import { runMultiAgent } from './steps/multi-agent-step.ts';
import { runRetrieve } from './steps/retrieve-step.ts';
import { runSleep } from './steps/sleep-step.ts';
import { runSubflow } from './steps/subflow-step.ts';
import { runTool } from './steps/tool-step.ts';
import type { Place, StepDone, Thread } from './thread.ts';

/** Runs a step as its type says. */
export async function runByType(thread: Thread, step: Step, place: Place): Promise<StepDone> {
  switch (step.type) {
    case 'branch':
      return runBranch(thread, step);
    case 'sleep':
      return runSleep(thread, step, place);
    case 'agent_interaction':
      return { output: await runAgent(thread, step, place) };
    case 'multi_agent_interaction':
      return { output: await runMultiAgent(thread, step, place) };
    case 'loop':
      return { output: await runLoop(thread, step, place) };
    case 'foreach':
      return { output: await runForeach(thread, step, place) };
    case 'function':
      return { output: await runFunction(thread, step, place) };
    case 'tool':
      return { output: await runTool(thread, step, place) };
    case 'activity':
      return { output: await runActivity(thread, step, place) };
    case 'retrieve':
      return { output: await runRetrieve(thread, step, place) };
    case 'human':
      return { output: await runHuman(thread, step, place) };
    default:
      return { output: await runSubflow(thread, step, place) };
  }
}
