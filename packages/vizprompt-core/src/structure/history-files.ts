import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { isJsonObject, type FileChange, type FileStore } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { isProjectPlace } from '../project/places.ts';
import { areSteps, isStepContent } from './check-step.ts';
import type { EditStep, StackedStep, StepContent } from './step.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** The folder of the history; git leaves it alone. */
const FOLDER = 'history/';
const STACK_FILE = `${FOLDER}stack.json`;
const IGNORE_FILE = `${FOLDER}.gitignore`;
const VERSION = 1;

/** The steps of a project, the oldest first. */
export interface Stack {
  readonly undo: readonly StackedStep[];
  readonly redo: readonly StackedStep[];
}

const EMPTY: Stack = { undo: [], redo: [] };

/** Reads the stack. One that is missing, damaged or newer is as an empty one: it is no truth. */
export async function readStack(files: FileStore): Promise<Stack> {
  const stored = await files.read(STACK_FILE);
  if (!stored) return EMPTY;
  try {
    const root: unknown = JSON.parse(stored.text);
    if (!isJsonObject(root) || root['version'] !== VERSION) return EMPTY;
    const [undo, redo] = [root['undo'], root['redo']];
    return areSteps(undo) && areSteps(redo) ? { undo, redo } : EMPTY;
  } catch {
    return EMPTY;
  }
}

/** The change that writes the stack. */
export function stackChange({ undo, redo }: Stack): FileChange {
  const text = JSON.stringify({ version: VERSION, undo, redo }, undefined, 1);
  return { key: STACK_FILE, content: `${text}\n` };
}

/** The change that keeps git away, if nothing does yet. */
export async function ignoreChange(files: FileStore): Promise<FileChange[]> {
  return (await files.read(IGNORE_FILE)) ? [] : [{ key: IGNORE_FILE, content: '*\n' }];
}

/** The key of the file of a step. */
export function stepFile(id: string): string {
  return `${FOLDER}${id}.json.br`;
}

/** Before and after are nearly the same text: the window must hold both for that to cost nothing. */
const MAX_WINDOW = 24;
const MIN_WINDOW = 16;

/** The content of a step as it is stored: JSON, by Brotli. */
export async function encodeStep(content: StepContent): Promise<Uint8Array> {
  const json = Buffer.from(JSON.stringify(content));
  const window = Math.min(MAX_WINDOW, Math.max(MIN_WINDOW, Math.ceil(Math.log2(json.length + 1))));
  return compress(json, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_LGWIN]: window,
      [constants.BROTLI_PARAM_SIZE_HINT]: json.length,
    },
  });
}

/**
 * Reads what a step did.
 *
 * @throws VizPromptError with the code `conflict` if its file is missing or damaged.
 */
export async function readStep(
  files: FileStore,
  { id, label }: EditStep,
  maxBytes: number = DEFAULT_LIMITS.historyBytes,
): Promise<StepContent> {
  const file = stepFile(id);
  try {
    const stored = await files.read(file);
    if (!stored) throw new Error('it is missing');
    const content: unknown = JSON.parse(
      (await decompress(stored.data, { maxOutputLength: maxBytes })).toString(),
    );
    if (!isStepContent(content)) throw new Error('it is no step');
    return content;
  } catch (cause) {
    throw new VizPromptError(
      'conflict',
      `'${label}' cannot be taken back or done again: ${file} is missing or damaged. ` +
        "'structure.forget()' begins a new history",
      { cause, context: { step: id, file } },
    );
  }
}

/** The changes that delete all of the history, or one step of it. */
export async function forgetChanges(files: FileStore, step?: string): Promise<FileChange[]> {
  if (step !== undefined) {
    const { undo, redo } = await readStack(files);
    const left = {
      undo: undo.filter(({ id }) => id !== step),
      redo: redo.filter(({ id }) => id !== step),
    };
    if (left.undo.length + left.redo.length === undo.length + redo.length) return [];
    return [{ key: stepFile(step), content: null }, stackChange(left)];
  }
  const changes: FileChange[] = [];
  for await (const { key } of files.list(FOLDER)) {
    if (key !== IGNORE_FILE && isProjectPlace(key)) changes.push({ key, content: null });
  }
  return changes;
}
