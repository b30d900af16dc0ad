import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VizPrompt, type BuiltContext } from '@vizprompt/core';
import { textOf } from '@vizprompt/providers';
import { round, type BenchOptions, type Figures } from '../figures.ts';
import { ENGLISH } from './english.ts';
import { JAPANESE } from './japanese.ts';
import type { Ask, Talk } from './talk.ts';

/** A prompt, and what its context held. */
interface Outcome {
  readonly talk: Talk;
  readonly ask: Ask;
  readonly isKept: boolean;
  readonly tokens: number;
  readonly everything: number;
}

const BUDGETS = [1000, 4000, 16_000] as const;
const LONG = 8000;

/**
 * Measures the share of the turns needed by the next answer that a context has: in full, or with the needed words in a
 * line. Nothing is built, as in a live chat. Tokens are estimated.
 */
export async function benchCoreContext({ log }: BenchOptions): Promise<Figures> {
  const talks = [...ENGLISH, ...JAPANESE];
  log(`${talks.length} conversations ...`);
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-core-context-'));
  try {
    await using vizprompt = await VizPrompt.open(folder);
    const outcomes = new Map<number, Outcome[]>(BUDGETS.map((budget) => [budget, []]));
    for (const [at, talk] of talks.entries()) {
      const flow = await addTalk(vizprompt, talk, `talk ${at}`);
      for (const ask of talk.asks) {
        for (const budget of BUDGETS) {
          const context = await vizprompt.buildContext({
            flow,
            prompt: ask.prompt,
            budget,
            related: 0,
          });
          outcomes.get(budget)?.push(outcomeOf(talk, ask, context));
        }
      }
    }
    const at = (budget: number): readonly Outcome[] => outcomes.get(budget) ?? [];
    const long = at(4000).filter(({ everything }) => everything > LONG);
    const all = [...outcomes].flatMap(([budget, list]) =>
      list.map((each) => ({ ...each, budget })),
    );
    const fitting = all.filter(({ everything, budget }) => everything <= budget);
    for (const { ask, budget } of all.filter(
      ({ isKept, budget: most }) => !isKept && most > 1000,
    )) {
      log(`not kept at ${budget}: ${ask.prompt} (${ask.fact})`);
    }
    return {
      needed_kept_1000: round(kept(at(1000))),
      needed_kept_4000: round(kept(at(4000))),
      needed_kept_16000: round(kept(at(16_000))),
      needed_kept_fits: round(kept(fitting)),
      needed_kept_long: round(kept(long)),
      tokens_share_long: round(share(long)),
      tokens_share_4000: round(share(at(4000))),
      prompts_asked: at(4000).length,
      prompts_long: long.length,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function addTalk(vizprompt: VizPrompt, { turns }: Talk, name: string): Promise<string> {
  const messages = turns.flatMap(([prompt, response], turn) => [
    { uuid: `${name}/${turn}/p`, sender: 'human', text: prompt, content: [] },
    { uuid: `${name}/${turn}/r`, sender: 'assistant', text: response, content: [] },
  ]);
  await vizprompt.importConversations([{ uuid: name, name, chat_messages: messages }]);
  return name;
}

function outcomeOf(talk: Talk, ask: Ask, { messages, report }: BuiltContext): Outcome {
  const said = messages
    .slice(0, -1)
    .map((message) => textOf(message))
    .join('\n');
  const [prompt, response] = talk.turns[ask.turn] ?? ['', ''];
  const isKept = said.includes(ask.fact) || (said.includes(prompt) && said.includes(response));
  return { talk, ask, isKept, tokens: report.tokens, everything: report.everything.tokens };
}

function kept(outcomes: readonly Outcome[]): number {
  return outcomes.filter(({ isKept }) => isKept).length / Math.max(1, outcomes.length);
}

function share(outcomes: readonly Outcome[]): number {
  const [sent, whole] = outcomes.reduce(
    ([a, b], { tokens, everything }) => [a + tokens, b + everything],
    [0, 0],
  );
  return sent / Math.max(1, whole);
}
