import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FlowGraph, VizPrompt, type BuiltContext } from '@vizprompt/core';
import { loadTokenCounter, textOf, type TokenCounter } from '@vizprompt/providers';
import { corpus, FACTS, type Fact } from './corpus.ts';
import { round, type BenchOptions, type Figures } from '../figures.ts';

const TURNS = 500;
const QUICKSTART = fileURLToPath(
  new URL('../../examples/quickstart/conversations.json', import.meta.url),
);

/**
 * What a context saves against sending all ancestors, and which planted facts it still holds. Tokens
 * are counted exactly (o200k); summaries are made without a model.
 */
export async function benchContext({ log }: BenchOptions): Promise<Figures> {
  const counter = await loadTokenCounter();
  const quickstart = await inProject(async (vizprompt) => {
    await vizprompt.importConversations(QUICKSTART);
    await vizprompt.build({ model: null });
    return quickstartSaved(vizprompt, counter);
  });
  log(`a conversation of ${TURNS} turns with ${FACTS.length} facts ...`);
  return inProject(async (vizprompt) => {
    await vizprompt.importConversations([toExport(corpus(TURNS))]);
    await vizprompt.build({ model: null });
    const everything = await costOfAll(vizprompt, counter);
    const usual = await ask(vizprompt, counter, everything);
    const tight = await ask(vizprompt, counter, everything, 3000);
    return {
      tokens_saved: round(usual.saved),
      facts_kept: round(usual.kept),
      tokens_saved_quickstart: round(quickstart),
      tokens_everything_500_turns: everything,
      facts_kept_en: round(usual.keptOf('en')),
      facts_kept_ja: round(usual.keptOf('ja')),
      facts_kept_by_3000_tokens: round(tight.kept),
      tokens_saved_500_turns_by_3000_tokens: round(tight.saved),
    };
  });
}

async function inProject<T>(work: (vizprompt: VizPrompt) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-context-'));
  try {
    await using vizprompt = await VizPrompt.open(folder);
    return await work(vizprompt);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Over all turns that go on from others: what their prompts would have been sent with. */
async function quickstartSaved(vizprompt: VizPrompt, counter: TokenCounter): Promise<number> {
  let [sent, whole] = [0, 0];
  for (const { id: flow } of await vizprompt.listFlows()) {
    const graph = new FlowGraph(await vizprompt.getFlow(flow));
    for (const id of graph.topologicalOrder()) {
      const parents = graph.parents(id);
      if (parents.length === 0) continue;
      const { prompt } = await vizprompt.getNode(id);
      const { report } = await vizprompt.buildContext({ flow, node: parents, prompt, counter });
      sent += report.tokens;
      whole += await costOfLine(vizprompt, graph.ancestors(id), prompt, counter);
    }
  }
  return 1 - sent / whole;
}

async function costOfAll(vizprompt: VizPrompt, counter: TokenCounter): Promise<number> {
  const [flow] = await vizprompt.listFlows();
  const { nodes } = await vizprompt.getFlow(flow?.id);
  return costOfLine(
    vizprompt,
    nodes.map(({ id }) => id),
    '',
    counter,
  );
}

/** Each turn as two messages of 4 tokens more, as `buildContext` counts. */
async function costOfLine(
  vizprompt: VizPrompt,
  ids: readonly string[],
  prompt: string,
  counter: TokenCounter,
): Promise<number> {
  let tokens = counter.count(prompt).tokens + 7;
  for (const id of ids) {
    const node = await vizprompt.getNode(id);
    tokens += counter.count(node.prompt).tokens + counter.count(node.response).tokens + 8;
  }
  return tokens;
}

interface Answers {
  readonly kept: number;
  readonly saved: number;
  keptOf(language: Fact['language']): number;
}

async function ask(
  vizprompt: VizPrompt,
  counter: TokenCounter,
  everything: number,
  budget?: number,
): Promise<Answers> {
  const [flow] = await vizprompt.listFlows();
  const results: { readonly fact: Fact; readonly isKept: boolean; readonly saved: number }[] = [];
  for (const fact of FACTS) {
    const context = await vizprompt.buildContext({
      ...(flow ? { flow: flow.id } : {}),
      prompt: fact.question,
      counter,
      ...(budget === undefined ? {} : { budgetTokens: budget }),
    });
    const isKept = said(context).includes(fact.answer);
    results.push({ fact, isKept, saved: 1 - context.report.tokens / everything });
  }
  const share = (list: typeof results): number => mean(list.map(({ isKept }) => Number(isKept)));
  return {
    kept: share(results),
    saved: mean(results.map(({ saved }) => saved)),
    keptOf: (language) => share(results.filter(({ fact }) => fact.language === language)),
  };
}

/** All that the model would read but the question itself. */
function said({ messages }: BuiltContext): string {
  return messages
    .slice(0, -1)
    .map((message) => textOf(message))
    .join('\n');
}

function toExport(turns: ReturnType<typeof corpus>): object {
  const whole = turns.map(({ prompt, response }) => `${prompt}\n${response}`).join('\n');
  for (const { fact, answer } of FACTS) {
    const count = whole.split(answer).length - 1;
    if (count !== 1) throw new Error(`'${answer}' is ${count} times in the conversation: ${fact}`);
  }
  const messages = turns.flatMap(({ prompt, response }, turn) => [
    { uuid: `${turn}/p`, sender: 'human', text: prompt, content: [] },
    { uuid: `${turn}/r`, sender: 'assistant', text: response, content: [] },
  ]);
  return { uuid: 'facts', name: 'facts', chat_messages: messages };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
