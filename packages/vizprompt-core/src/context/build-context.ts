import { createTokenEstimator } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import type { FlowFiles } from '../graph/flow-files.ts';
import type { Project } from '../project/project.ts';
import { type ContextOptions, DEFAULT_BUDGET } from './context-options.ts';
import type { BuiltContext } from './context-report.ts';
import { Meter, plan, Price, turnOf } from './plan.ts';
import { findRelevance } from './relevance.ts';
import { costOfEverything, reportAttachments, reportEntries } from './report.ts';
import { Bodies, findScene, type Scene } from './scene.ts';
import {
  type Draft,
  PHRASES,
  type Turn,
  writeMessages,
  writeText,
  type Writing,
} from './write-context.ts';

/**
 * Builds a context that is never above its budget.
 *
 * @throws VizPromptError with the code `invalid-input` if prompt, instructions and pins alone are above it,
 * `flow-not-found` or `node-not-found`; what `signal` says.
 */
export async function buildContext(
  project: Project,
  flows: FlowFiles,
  options: ContextOptions,
): Promise<BuiltContext> {
  const { prompt, instructions = '', signal, budget = DEFAULT_BUDGET, detailHint = true } = options;
  if (!Number.isSafeInteger(budget) || budget < 1) {
    throw new VizPromptError('invalid-input', `'budget: ${budget}' is no whole number from 1 on`);
  }
  signal?.throwIfAborted();
  const scene = await findScene(project, flows, options);
  signal?.throwIfAborted();
  const meter = new Meter(options.counter ?? createTokenEstimator());
  const phrases = PHRASES[scene.language];
  const price = new Price(meter, phrases);
  const bodies = new Bodies(project);
  const writing: Writing = { prompt, instructions, phrases, detailHint };

  const pinned = await readPins(scene, bodies);
  const least = measure({ ...pinned, lines: [], quotes: [] }, writing, meter);
  const asked = ['the prompt', ...(instructions === '' ? [] : ['the instructions'])];
  assertFits(least, budget, measure(EMPTY, writing, meter), asked, scene.pinned.size);
  const relevance = await findRelevance(project, scene, bodies, options);
  signal?.throwIfAborted();

  const input = { scene, relevance, bodies, price, pinned, budget };
  let room = budget - least.most;
  let draft = await plan(input, room);
  let measured = measure(draft, writing, meter);
  // Texts that are joined may have more tokens than their pieces: then there is less room.
  while (measured.most > budget && room > 0) {
    signal?.throwIfAborted();
    room = Math.max(0, room - (measured.most - budget));
    draft = room > 0 ? await plan(input, room) : { ...pinned, lines: [], quotes: [] };
    measured = measure(draft, writing, meter);
  }
  const parts = { scene, draft, relevance, bodies, price, meter };
  const { messages, text, tokens, textTokens } = measured;
  return {
    messages,
    text,
    report: {
      ...(scene.loaded ? { flow: scene.loaded.flow.id } : {}),
      budget,
      tokens,
      textTokens,
      entries: reportEntries(parts),
      attachments: reportAttachments(parts),
      everything: costOfEverything(parts, meter.countMessages(writeMessages(EMPTY, writing))),
      exact: meter.isExact,
    },
  };
}

const EMPTY: Draft = { lines: [], turns: [], references: [], quotes: [] };

interface Measured extends Pick<BuiltContext, 'messages' | 'text'> {
  readonly tokens: number;
  readonly textTokens: number;
  readonly most: number;
}

function measure(draft: Draft, writing: Writing, meter: Meter): Measured {
  const messages = writeMessages(draft, writing);
  const text = writeText(draft, writing);
  const tokens = meter.countMessages(messages);
  const textTokens = meter.count(text);
  return { messages, text, tokens, textTokens, most: Math.max(tokens, textTokens) };
}

async function readPins(
  { ancestors, others, pinned }: Scene,
  bodies: Bodies,
): Promise<Pick<Draft, 'turns' | 'references'>> {
  const read = async (nodes: Scene['ancestors']): Promise<Turn[]> => {
    const turns: Turn[] = [];
    for (const node of nodes) {
      if (pinned.has(node.id)) turns.push(turnOf(node, await bodies.get(node), 'pinned'));
    }
    return turns;
  };
  return { turns: await read(ancestors), references: await read(others) };
}

function assertFits(
  least: Measured,
  budget: number,
  bare: Measured,
  asked: readonly string[],
  pins: number,
): void {
  const excess = least.most - budget;
  if (excess <= 0) return;
  const isAsked = bare.most > budget;
  const pinned = pins === 1 ? 'the pinned node' : `the ${pins} pinned nodes`;
  const all = isAsked ? asked : [...asked, pinned];
  const what = `${new Intl.ListFormat('en').format(all)} ${all.length === 1 ? 'exceeds' : 'exceed'}`;
  throw new VizPromptError(
    'invalid-input',
    `${what} the budget of ${budget} tokens by ${isAsked ? bare.most - budget : excess}`,
    { context: { budget, excess, tokens: least.most } },
  );
}
