import { WorkflowError } from '../errors.ts';
import { liquidEngine, parsePrompt } from '../language/template.ts';

/** The variables that a prompt needs; `undefined` where it cannot be parsed. */
export function promptVariables(template: string): readonly string[] | undefined {
  try {
    const { globals } = liquidEngine().analyzeSync(parsePrompt(template), { partials: false });
    return Object.keys(globals);
  } catch (error) {
    if (WorkflowError.isInstance(error)) return undefined;
    throw error;
  }
}
