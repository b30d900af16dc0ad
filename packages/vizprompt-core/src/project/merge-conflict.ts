import { invalidFile } from '../errors.ts';

/**
 * Refuses a file that git left a merge conflict in; a parser would complain of something else.
 *
 * @throws VizPromptError with the line of the first mark.
 */
export function refuseMergeConflict(
  code: 'node-invalid' | 'flow-invalid' | 'config-invalid',
  file: string,
  text: string,
): void {
  if (!text.includes('<<<<<<< ') || !text.includes('>>>>>>> ')) return;
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.startsWith('<<<<<<< '));
  const isConflict =
    at >= 0 &&
    lines.indexOf('=======', at) > at &&
    lines.some((line, other) => other > at && line.startsWith('>>>>>>> '));
  if (!isConflict) return;
  const way =
    code === 'node-invalid'
      ? 'keep one side here, and put the other into a file of its own in nodes/'
      : 'keep what both sides added';
  throw invalidFile(code, { file, line: at + 1 }, `a merge of git is not resolved: ${way}`);
}
