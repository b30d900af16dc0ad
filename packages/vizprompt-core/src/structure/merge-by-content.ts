import { type ChatModel, textMessage } from '@vizprompt/providers';
import { guessLanguage, type Language } from '@vizprompt/providers/internal';
import { MAX_WORDS } from '../build/shorten.ts';
import { offlineSummarizer } from '../build/summarize-offline.ts';
import { VizPromptError } from '../errors.ts';
import { assertNode, FlowGraph } from '../flow/flow-graph.ts';
import { MAIN_FLOW } from '../flow/flow.ts';
import { toStoredFlow } from '../graph/flow-files.ts';
import { checkFlowVersion } from '../graph/preconditions.ts';
import { normalizeLabel, parseList } from '../index/node-index.ts';
import { makeNode } from '../node/edit-node.ts';
import type { StoredNode } from '../node/node.ts';
import { readStoredNode } from '../node/read-node-xml.ts';
import type { Project } from '../project/project.ts';
import { joinParents } from './copy-subtree.ts';
import type { StructureContext } from './edit-structure.ts';
import type { EditOptions } from './options.ts';
import type {
  ContentMerge,
  MergeByContentOptions,
  MergeConflict,
  MergeProposal,
  MergeSide,
  MergeTurn,
} from './options.ts';

/** Merges two branches by what they say: proposes a node, and writes it if that is accepted. */
export async function mergeByContent(
  context: StructureContext,
  a: string,
  b: string,
  model: ChatModel | undefined,
  { accept, model: _, signal, ...options }: MergeByContentOptions,
): Promise<ContentMerge> {
  const { project } = context;
  project.assertWritable();
  const proposal = await propose(context, [a, b], model, options, signal);
  const answer = await accept(proposal);
  signal?.throwIfAborted();
  if (answer === undefined || answer === false) return { proposal };
  const input = answer === true ? proposal.node : answer;
  const node = await makeNode(project, input);
  const merged = await joinParents(context, 'mergeByContent', [a, b], node, options);
  return { proposal, merged };
}

async function propose(
  { project, flows }: StructureContext,
  [a, b]: readonly [string, string],
  model: ChatModel | undefined,
  { flow: name = MAIN_FLOW, ...options }: EditOptions,
  signal: AbortSignal | undefined,
): Promise<MergeProposal> {
  const loaded = await flows.load(name);
  checkFlowVersion(project, toStoredFlow(loaded), options);
  for (const id of [a, b]) assertNode(loaded.flow, id);
  const diff = new FlowGraph(loaded.flow).diff(a, b);
  if (diff.left.length === 0 || diff.right.length === 0) {
    const [later, earlier] = diff.left.length === 0 ? [b, a] : [a, b];
    throw new VizPromptError(
      'invalid-input',
      `there is nothing to merge: ${later} continues from ${earlier} already`,
      { context: { a, b } },
    );
  }
  const base = await readTurns(project, diff.base);
  const left = await readTurns(project, diff.left);
  const right = await readTurns(project, diff.right);
  const [leftTip, rightTip] = await Promise.all([tipOf(left, a), tipOf(right, b)]);
  const found = await findConflicts(left, right);
  const material: MergeMaterial = {
    language: guessLanguage([leftTip, rightTip].map((tip) => tip.prompt + tip.response).join('\n')),
    base: base.map(shownTurn),
    left: { tip: a, turns: left.map(shownTurn) },
    right: { tip: b, turns: right.map(shownTurn) },
    conflicts: found,
  };
  const { language: _language, ...shown } = material;
  const prompt = mergePrompt(material);
  const byText = { node: { prompt, response: mergeText(material) }, by: 'text' } as const;
  if (!model) return { ...shown, ...byText };
  const made = await mergeByModel(model, material, [leftTip, rightTip], signal);
  // A model that says nothing must not leave out what both branches said.
  if (made.response === '') return { ...shown, ...byText };
  return {
    ...shown,
    conflicts: [...found, ...made.conflicts],
    node: { prompt, response: made.response, model: made.model },
    by: 'model',
  };
}

async function tipOf(turns: readonly LabelledTurn[], id: string): Promise<StoredNode> {
  const node = await turns.find((turn) => turn.id === id)?.read();
  if (node) return node;
  throw new VizPromptError('node-not-found', `there is no node ${id}`, { context: { node: id } });
}

/** A turn with the words that it can be compared by. */
interface LabelledTurn extends MergeTurn {
  /** Tags and keywords, by their normal form. */
  readonly labels: ReadonlyMap<string, string>;
  /** Reads the whole node. */
  read(): Promise<StoredNode | undefined>;
}

/** Returns turns from the index, reading only nodes without a summary. A node without a file is left out. */
async function readTurns(
  { index, files }: Project,
  ids: readonly string[],
): Promise<LabelledTurn[]> {
  const rows = new Map((await index.nodes.rowsOf(ids)).map((row) => [row.id, row]));
  const summarize = offlineSummarizer({ maxWords: MAX_WORDS });
  const turns: LabelledTurn[] = [];
  for (const id of ids) {
    const row = rows.get(id);
    if (!row) continue;
    const read = (): Promise<StoredNode | undefined> => readStoredNode(files, row.file);
    let labels = [...parseList(row.tags), ...parseList(row.keywords)];
    let { summary } = row;
    if (summary === '') {
      const found = await summarize((await read()) ?? { prompt: row.title, response: '' });
      ({ summary } = found);
      labels = [...labels, ...found.keywords];
    }
    const named = labels.map((label): [string, string] => [normalizeLabel(label), label]);
    turns.push({ id, title: row.title, summary, labels: new Map(named), read });
  }
  return turns;
}

/** Returns a turn as a proposal shows it. */
function shownTurn({ id, title, summary }: MergeTurn): MergeTurn {
  return { id, title, summary };
}

/** Longer texts of the last nodes are cut at their end before they are sent. */
const MAX_CHARACTERS = 8000;

/** The merge that a model proposes. */
interface ModelMerge {
  readonly response: string;
  readonly model: string;
  readonly conflicts: readonly MergeConflict[];
}

const CONFLICTS = /^[ \t\u3000*#]*(?:矛盾|食い違い|conflicts)[ \t\u3000*]*[:：][ \t*]*$/im;
const MERGED = /^[ \t\u3000*#]*(?:統合|merged)[ \t\u3000*]*[:：](?:\*\*(?=\s))?/im;

/** Asks a model for the merge: first where the branches do not agree, then the merged text. */
async function mergeByModel(
  model: ChatModel,
  material: MergeMaterial,
  tips: readonly [StoredNode, StoredNode],
  signal?: AbortSignal,
): Promise<ModelMerge> {
  const { text } = await model.generate({
    messages: [textMessage('user', question(material, tips))],
    ...(signal ? { signal } : {}),
  });
  const start = MERGED.exec(text);
  const response = (start ? text.slice(start.index + start[0].length) : text).trim();
  const heading = CONFLICTS.exec(text);
  const listed = heading
    ? text.slice(heading.index + heading[0].length, start?.index ?? heading.index)
    : '';
  const conflicts = [...listed.matchAll(/^[ \t\u3000]*[-*・](..*)$/gm)]
    .map(([, line = '']) => line.trim())
    .filter((line) => !/^(?:none|なし|ありません)[.。]?$/i.test(line))
    .map((line): MergeConflict => ({ kind: 'stated', text: line, left: [], right: [] }));
  return { response, model: model.modelId, conflicts };
}

function question(
  material: MergeMaterial,
  [left, right]: readonly [StoredNode, StoredNode],
): string {
  const whole = ({ prompt, response }: StoredNode): string =>
    `${prompt}\n\n${response}`.slice(0, MAX_CHARACTERS).toWellFormed();
  const text = mergeText(material);
  if (material.language === 'ja') {
    return `一つの会話が二つの枝に分かれました。両方の結論を一つに統合してください。
どちらかにしか無い事実も落とさず、食い違いは隠さずに挙げてください。

${text}

[一つ目の枝の最後の全文]
${whole(left)}

[二つ目の枝の最後の全文]
${whole(right)}

以下の形式で出力してください：
矛盾:
- [食い違いを一行に一つ。無ければ「なし」]
統合:
[統合した内容]
`;
  }
  return `A conversation parted into two branches. Merge what both came to into one text.
Leave out no fact that only one of them has, and name conflicts instead of hiding them.

${text}

[The last turn of the first branch in full]
${whole(left)}

[The last turn of the second branch in full]
${whole(right)}

Answer in exactly this form:
Conflicts:
- [one conflict a line, or "None"]
Merged:
[the merged text]
`;
}

/** The two branches that are merged. */
interface MergeMaterial {
  readonly language: Language;
  readonly base: readonly MergeTurn[];
  readonly left: MergeSide;
  readonly right: MergeSide;
  readonly conflicts: readonly MergeConflict[];
}

/** Turns of a side that are shown; of longer ones, the last. */
const MAX_TURNS = 60;

const WORDS: Readonly<
  Record<Language, Readonly<Record<'base' | 'first' | 'second' | 'conflicts' | 'none', string>>>
> = {
  ja: {
    base: '共通の出発点',
    first: '一つ目の枝',
    second: '二つ目の枝',
    conflicts: '食い違いの候補',
    none: 'なし',
  },
  en: {
    base: 'Where they part',
    first: 'First branch',
    second: 'Second branch',
    conflicts: 'Possible conflicts',
    none: 'None',
  },
};

/** Returns the prompt of a merge: which branches are merged. */
function mergePrompt({ language, left, right }: MergeMaterial): string {
  const title = ({ turns, tip }: MergeSide): string => turns.at(-1)?.title ?? tip;
  return language === 'ja'
    ? `二つの枝を統合する：「${title(left)}」と「${title(right)}」`
    : `Merge two branches: "${title(left)}" and "${title(right)}"`;
}

/** Returns the material as text: it is the answer where no model gives one, and what a model is shown. */
function mergeText({ language, base, left, right, conflicts }: MergeMaterial): string {
  const words = WORDS[language];
  const section = (title: string, lines: readonly string[]): string =>
    `## ${title}\n${(lines.length > 0 ? lines : [words.none]).map((line) => `- ${line}`).join('\n')}`;
  const turns = (list: readonly MergeTurn[]): string[] => {
    const shown = list.slice(-MAX_TURNS).map(({ summary, title }) => oneLine(summary || title));
    const more = list.length - shown.length;
    return more > 0 ? [`… (${more})`, ...shown] : shown;
  };
  return [
    section(words.base, turns(base)),
    section(words.first, turns(left.turns)),
    section(words.second, turns(right.turns)),
    section(
      words.conflicts,
      conflicts.map(({ text }) => oneLine(text)),
    ),
  ].join('\n\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s\s*/g, ' ').trim();
}

/** Words that two turns must share to be about the same. */
const SHARED = 2;
/** Pairs of turns that are named, those that share the most. */
const MAX_SUBJECTS = 10;

/**
 * Finds where two branches may not agree, from the text alone: the same question with different
 * answers, and turns that share tags or keywords.
 */
async function findConflicts(
  left: readonly LabelledTurn[],
  right: readonly LabelledTurn[],
): Promise<readonly MergeConflict[]> {
  const answers = await differentAnswers(left, right);
  const known = new Set(answers.flatMap((one) => [...one.left, ...one.right]));
  const subjects = sharedSubjects(
    left.filter(({ id }) => !known.has(id)),
    right.filter(({ id }) => !known.has(id)),
  );
  return [...answers, ...subjects];
}

async function differentAnswers(
  left: readonly LabelledTurn[],
  right: readonly LabelledTurn[],
): Promise<MergeConflict[]> {
  const byTitle = byTitleOf(right);
  const conflicts: MergeConflict[] = [];
  for (const turn of left) {
    for (const other of byTitle.get(titleKey(turn)) ?? []) {
      const [one, two] = [await turn.read(), await other.read()];
      if (!one || !two || normal(one.prompt) !== normal(two.prompt)) continue;
      if (normal(one.response) === normal(two.response)) continue;
      const text = `${turn.title}: ${turn.summary} ≠ ${other.summary}`;
      conflicts.push({ kind: 'answer', text, left: [turn.id], right: [other.id] });
    }
  }
  return conflicts;
}

function byTitleOf(turns: readonly LabelledTurn[]): ReadonlyMap<string, LabelledTurn[]> {
  const groups = new Map<string, LabelledTurn[]>();
  for (const turn of turns) {
    const group = groups.get(titleKey(turn));
    if (group) group.push(turn);
    else groups.set(titleKey(turn), [turn]);
  }
  return groups;
}

function titleKey({ title }: LabelledTurn): string {
  return normal(title);
}

function normal(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s\s*/g, ' ').trim();
}

function sharedSubjects(
  left: readonly LabelledTurn[],
  right: readonly LabelledTurn[],
): MergeConflict[] {
  const withLabel = new Map<string, LabelledTurn[]>();
  for (const turn of right) {
    for (const label of turn.labels.keys()) {
      const turns = withLabel.get(label);
      if (turns) turns.push(turn);
      else withLabel.set(label, [turn]);
    }
  }
  const pairs = left.flatMap((turn) => {
    const shared = new Map<LabelledTurn, string[]>();
    for (const [label, name] of turn.labels) {
      for (const other of withLabel.get(label) ?? []) {
        shared.set(other, [...(shared.get(other) ?? []), name]);
      }
    }
    return [...shared].map(([other, names]) => ({ turn, other, names }));
  });
  return pairs
    .filter(({ names }) => names.length >= SHARED)
    .toSorted((a, b) => b.names.length - a.names.length)
    .slice(0, MAX_SUBJECTS)
    .map(({ turn, other, names }) => ({
      kind: 'subject',
      text: `${names.join(', ')}: ${turn.title} / ${other.title}`,
      left: [turn.id],
      right: [other.id],
    }));
}
