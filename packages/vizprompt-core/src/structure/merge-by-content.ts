import type { ChatModel } from '@vizprompt/providers';
import { languageOf } from '../build/language.ts';
import { VizPromptError } from '../errors.ts';
import { assertNode } from '../flow/edit-flow.ts';
import { FlowGraph } from '../flow/flow-graph.ts';
import { MAIN_FLOW } from '../flow/flow.ts';
import { toStoredFlow } from '../graph/flow-files.ts';
import { checkFlowVersion } from '../graph/preconditions.ts';
import { makeNode } from '../node/edit-node.ts';
import type { StoredNode } from '../node/node.ts';
import type { EditOptions, StructureContext } from './edit-structure.ts';
import { joinParents } from './join-parents.ts';
import { mergeByModel } from './merge-by-model.ts';
import { findConflicts } from './merge-conflicts.ts';
import type { ContentMerge, MergeByContentOptions, MergeProposal } from './merge-proposal.ts';
import { type MergeMaterial, mergePrompt, mergeText } from './merge-text.ts';
import { type LabelledTurn, readTurns, shownTurn } from './merge-turns.ts';

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
      `there is nothing to merge: ${later} goes on from ${earlier} already`,
      { context: { a, b } },
    );
  }
  const base = await readTurns(project, diff.base);
  const left = await readTurns(project, diff.left);
  const right = await readTurns(project, diff.right);
  const [leftTip, rightTip] = await Promise.all([tipOf(left, a), tipOf(right, b)]);
  const found = await findConflicts(left, right);
  const material: MergeMaterial = {
    language: languageOf([leftTip, rightTip].map((tip) => tip.prompt + tip.response).join('\n')),
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
