import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { createId, type FileChange, type FileStore } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import { readFlow } from '../flow/read-flow.ts';
import { formatTime } from '../format/ids-and-times.ts';
import { isOfKind, isProjectPlace, type NumberedKind } from '../format/layout.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { readNode } from '../node/read-node-xml.ts';
import type { Project } from '../project/project.ts';

/** An edit of the structure that can be taken back. */
export interface EditStep {
  readonly id: string;
  /** The name of the edit, such as `connectNodes`. */
  readonly label: string;
  /** When, ISO 8601. */
  readonly time: string;
  /** The ids of the flows that it changed, made or deleted. */
  readonly flows: readonly string[];
}

/** A step as the stack has it. */
export interface StackedStep extends EditStep {
  /** The size of its file. */
  readonly bytes: number;
}

/** The edits of a project, the oldest first. */
export interface EditHistory {
  /** Those that can be undone; the last is the next. */
  readonly undo: readonly EditStep[];
  /** Those that were undone and can be done again; the last is the next. */
  readonly redo: readonly EditStep[];
}

/** A file before and after an edit; `null`: there is none. */
export interface FileStep {
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The file of a node that an edit made or deleted. */
export interface NodeFileStep extends FileStep {
  readonly id: string;
  /** They are nowhere else when the file is deleted. */
  readonly keywords: readonly string[];
}

/** All that an edit did to files. */
export interface StepContent {
  readonly flows: readonly FileStep[];
  readonly nodes: readonly NodeFileStep[];
}

/** Bytes of all steps together; the newest stays, whatever it takes. */
const MAX_BYTES = 32_000_000;

/**
 * Returns the changes by which an edit can be undone, to be written in one batch with the edit itself. Edits that
 * were undone before cannot be redone after it, and the oldest steps beyond the limit are dropped.
 *
 * @param label - The name of the edit, such as `connectNodes`.
 * @param writes - The edit.
 */
export async function recordStep(
  project: Project,
  label: string,
  writes: readonly FileChange[],
): Promise<readonly FileChange[]> {
  const { files, undoSteps, clock } = project;
  if (undoSteps === 0) return [];
  const flows = await fileSteps(
    files,
    writes.filter(({ key }) => isOfKind('flows', key)),
  );
  const nodes = await nodeSteps(
    project,
    writes.filter(({ key }) => isOfKind('nodes', key)),
  );
  const data = await encodeStep({ flows, nodes });
  const step: StackedStep = {
    id: createId(),
    label,
    time: formatTime(clock()),
    flows: await Promise.all(
      flows.map(({ file, before, after }) => flowIdIn(file, before ?? after ?? '')),
    ),
    bytes: data.length,
  };
  const { undo, redo } = await readStack(files);
  const all = [...undo, step];
  const kept = newest(all, undoSteps);
  const dropped = [...all.slice(0, all.length - kept.length), ...redo];
  return [
    ...(await ignoreChange(files)),
    { key: stepFile(step.id), content: data },
    stackChange({ undo: kept, redo: [] }),
    ...dropped.map(({ id }): FileChange => ({ key: stepFile(id), content: null })),
  ];
}

/** Returns the id of a flow; a file of the usual form need not be parsed for that. */
async function flowIdIn(file: string, text: string): Promise<string> {
  const [, id] = /^id: ([0-9a-f-]{36})$/m.exec(text) ?? [];
  return id ?? (await readFlow(file, text)).flow.id;
}

function newest(steps: readonly StackedStep[], limit: number): readonly StackedStep[] {
  let bytes = 0;
  const from = steps.findLastIndex((step, at) => {
    bytes += step.bytes;
    const isLast = at === steps.length - 1;
    return steps.length - at > limit || (bytes > MAX_BYTES && !isLast);
  });
  return steps.slice(from + 1);
}

async function fileSteps(files: FileStore, writes: readonly FileChange[]): Promise<FileStep[]> {
  const steps: FileStep[] = [];
  for (const { key, content, ifVersion } of writes) {
    const stored = ifVersion === null ? null : await files.read(key);
    const after = content === null ? null : textOf(content);
    steps.push({ file: key, before: stored?.text ?? null, after });
  }
  return steps;
}

function textOf(content: string | Uint8Array): string {
  return typeof content === 'string' ? content : Buffer.from(content).toString();
}

async function nodeSteps(
  { files, index }: Project,
  writes: readonly FileChange[],
): Promise<NodeFileStep[]> {
  const steps = await fileSteps(files, writes);
  const rows = await index.nodes.filed(steps.map(({ file }) => file));
  const keywords = new Map(rows.map((row) => [row.file, row.keywords]));
  return Promise.all(
    steps.map(async (step) => ({
      ...step,
      id: (await readNode(step.file, step.before ?? step.after ?? '')).id,
      keywords: keywords.get(step.file) ?? [],
    })),
  );
}

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

/** Reads the stack. One that is missing, damaged or newer is as an empty one: it is not truth. */
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

/** Returns the change that writes the stack. */
export function stackChange({ undo, redo }: Stack): FileChange {
  const text = JSON.stringify({ version: VERSION, undo, redo }, undefined, 1);
  return { key: STACK_FILE, content: `${text}\n` };
}

/** Returns the change that keeps git away, if nothing does yet. */
async function ignoreChange(files: FileStore): Promise<FileChange[]> {
  return (await files.read(IGNORE_FILE)) ? [] : [{ key: IGNORE_FILE, content: '*\n' }];
}

/** Returns the key of the file of a step. */
export function stepFile(id: string): string {
  return `${FOLDER}${id}.json.br`;
}

/** Lower than the best by a third, in a tenth of the time. */
const QUALITY = 1;
const MAX_WINDOW = 24;
const MIN_WINDOW = 16;

/** Returns the content of a step as it is stored: JSON, by Brotli. */
export async function encodeStep({ flows, nodes }: StepContent): Promise<Uint8Array> {
  const stored: PackedContent = {
    flows: flows.map((step) => ({ ...step, after: packed(step) })),
    nodes: nodes.map((step) => ({ ...step, after: packed(step) })),
  };
  const json = Buffer.from(JSON.stringify(stored));
  const window = Math.min(MAX_WINDOW, Math.max(MIN_WINDOW, Math.ceil(Math.log2(json.length + 1))));
  return compress(json, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
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
    const { flows, nodes } = content;
    return {
      flows: flows.map((step) => ({ ...step, after: unpacked(step) })),
      nodes: nodes.map((step) => ({ ...step, after: unpacked(step) })),
    };
  } catch (cause) {
    throw new VizPromptError(
      'conflict',
      `'${label}' cannot be taken back or done again: ${file} is missing or damaged. ` +
        "'structure.forget()' begins a new history",
      { cause, context: { step: id, file } },
    );
  }
}

/** A file as its step stores it: `after` may be what differs from `before`. */
interface PackedStep extends Omit<FileStep, 'after'> {
  readonly after: string | null | readonly Splice[];
}

interface PackedContent {
  readonly flows: readonly PackedStep[];
  readonly nodes: readonly (PackedStep & Pick<NodeFileStep, 'id' | 'keywords'>)[];
}

function packed({ before, after }: FileStep): PackedStep['after'] {
  return before === null || after === null ? after : splicesBetween(before, after);
}

function unpacked({ before, after }: PackedStep): string | null {
  return after === null || typeof after === 'string' ? after : splice(before ?? '', after);
}

/** Returns the changes that delete all of the history, or one step of it. */
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

/** Checks whether a value is a row of steps: a history may come with a project from elsewhere. */
function areSteps(value: unknown): value is StackedStep[] {
  return Array.isArray(value) && value.every((step) => isStackedStep(step));
}

function isStackedStep(step: unknown): boolean {
  if (!isJsonObject(step)) return false;
  const { id, label, time, flows, bytes } = step;
  const isNamed = typeof id === 'string' && isProjectPlace(`history/${id}.json.br`);
  return isNamed && isText(label) && isText(time) && areTexts(flows) && typeof bytes === 'number';
}

/**
 * Checks whether a value is what a step did. A step names files that are written when it is taken back, so
 * those of nodes and flows are the only ones that it may name.
 */
function isStepContent(value: unknown): value is PackedContent {
  if (!isJsonObject(value)) return false;
  const { flows, nodes } = value;
  return (
    Array.isArray(flows) &&
    flows.every((step) => isFileStep('flows', step)) &&
    Array.isArray(nodes) &&
    nodes.every(
      (step) => isFileStep('nodes', step) && isText(step['id']) && areTexts(step['keywords']),
    )
  );
}

function isFileStep(kind: NumberedKind, step: unknown): step is Readonly<Record<string, unknown>> {
  if (!isJsonObject(step)) return false;
  const { file, before, after } = step;
  const isFile = isText(file) && isOfKind(kind, file) && isProjectPlace(file);
  const isAfter = isTextOrNull(after) || (isText(before) && areSplices(after, before));
  return isFile && isTextOrNull(before) && isAfter;
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => isText(one));
}

/** A piece of a text that is replaced by another: its two ends, UTF-16 offsets, and what comes there. */
type Splice = readonly [start: number, end: number, text: string];

/** Returns the pieces of a text that make another of it: one for each section of a flow file at most. */
export function splicesBetween(before: string, after: string): readonly Splice[] {
  const [old, current] = [sectionsOf(before), sectionsOf(after)];
  let at = 0;
  return old.flatMap((section, number) => {
    const found = differing(section, current[number] ?? '', at);
    at += section.length;
    return found;
  });
}

/** Returns the sections of a flow file, of which an edit mostly changes little; three of any other text. */
function sectionsOf(text: string): readonly string[] {
  const nodes = text.indexOf('\nnodes:') + 1;
  const connections = Math.max(nodes, text.lastIndexOf('\nconnections:') + 1);
  return [text.slice(0, nodes), text.slice(nodes, connections), text.slice(connections)];
}

/** Returns a text with pieces of it replaced. */
export function splice(text: string, splices: readonly Splice[]): string {
  let result = '';
  let at = 0;
  for (const [start, end, piece] of splices) {
    result += text.slice(at, start) + piece;
    at = end;
  }
  return result + text.slice(at);
}

/** Checks whether a value is a row of pieces of a text, in their order. */
export function areSplices(value: unknown, text: string): value is readonly Splice[] {
  let at = 0;
  return (
    Array.isArray(value) &&
    value.every((piece: unknown) => {
      if (!Array.isArray(piece) || piece.length !== 3) return false;
      const [start, end, content]: readonly unknown[] = piece;
      if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end)) return false;
      const [from, to] = [Number(start), Number(end)];
      const isNext = at <= from && from <= to && to <= text.length;
      at = to;
      return isNext && typeof content === 'string';
    })
  );
}

function differing(before: string, after: string, offset: number): readonly Splice[] {
  if (before === after) return [];
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let same = 0;
  const [old, current] = [before.length, after.length];
  while (
    same < most - start &&
    before.charCodeAt(old - same - 1) === after.charCodeAt(current - same - 1)
  ) {
    same++;
  }
  return [[offset + start, offset + old - same, after.slice(start, current - same)]];
}
