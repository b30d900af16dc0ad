import { prepareConditions } from './cel.ts';
import { preparePrompts } from './template.ts';

/** Loads the languages of conditions and prompts, which are evaluated at once from then on. */
export async function prepareLanguages(): Promise<void> {
  await Promise.all([prepareConditions(), preparePrompts()]);
}
