import { type ImportReport, VizPrompt, VizPromptError } from '@vizprompt/core';
import { inMemoryStorage } from '@vizprompt/providers/node';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHATS } from '../fixtures/chats/index.ts';
import { randomRuns, shapeOf } from '../support/open-project.ts';

/** Returns the strings of a source that say something: neither ids nor times. */
function textsOf(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return value.trim() === '' || isLink(key) ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each) => textsOf(each, key));
  return Object.entries(value).flatMap(([name, each]) => textsOf(each, name));
}

function isLink(key: string): boolean {
  return /(?:^|_)(?:id|uuid|time|at|date|utc)$|(?:Id|ID|Uuid|At|Time)s?$|^(?:parent|current|children|timestamp|created)/.test(
    key,
  );
}

/** All that a project holds of its chats, as JSON. */
async function allOf(vizprompt: VizPrompt): Promise<string> {
  const held: unknown[] = [];
  for (const { id } of await vizprompt.listFlows()) {
    const flow = await vizprompt.getFlow(id);
    held.push(flow);
    for (const node of flow.nodes) held.push(await vizprompt.getNode(node.id));
  }
  return JSON.stringify(held);
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Returns the words of a text, without additions of programs: markers, tags of HTML, the verb of Takeout. */
function wordsOf(text: string): string[] {
  const plain = text
    .replaceAll(/\ue200[^\ue201]*\ue201|<[^>]*>|\\+[nt"]/g, ' ')
    .replace(/^Prompted /, '');
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

function isHeld(text: string, held: string): boolean {
  return held.includes(escaped(text)) || wordsOf(text).every((word) => held.includes(word));
}

function expectSums({ texts }: ImportReport): void {
  for (const { total, kept, leftOut } of texts) {
    const left = Object.values(leftOut).reduce((sum, count) => sum + count, 0);
    expect(kept + left).toBe(total);
  }
}

/** Returns the nodes of all flows, each as `prompt / response`. */
async function nodesOf(vizprompt: VizPrompt): Promise<string[]> {
  const nodes: string[] = [];
  for (const { id } of await vizprompt.listFlows()) {
    for (const node of (await vizprompt.getFlow(id)).nodes) {
      const { prompt, response } = await vizprompt.getNode(node.id);
      nodes.push(`${prompt} / ${response}`);
    }
  }
  return nodes.toSorted();
}

async function emptyProject(): Promise<VizPrompt> {
  return VizPrompt.open({ storage: await inMemoryStorage() });
}

describe('a chat of', () => {
  it.each(CHATS.map((chat) => [chat.format, chat.of, chat] as const))(
    '%s is read with its branches, no text lost: %s',
    async (format, _of, { source, nodes, connections }) => {
      await using vizprompt = await emptyProject();
      const report = await vizprompt.importConversations(source);
      expect(await nodesOf(vizprompt)).toEqual([...nodes].toSorted());
      expect(report).toMatchObject({
        connections: { total: connections },
        skipped: [],
        warnings: [],
      });
      const flows = await vizprompt.listFlows();
      const sources = await Promise.all(
        flows.map(async ({ id }) => (await vizprompt.getFlow(id)).source),
      );
      expect(new Set(sources.map((each) => each?.split(':')[0]))).toEqual(new Set([format]));
      const held = await allOf(vizprompt);
      const told = Object.keys(report.texts[0]?.leftOut ?? {}).join(' ');
      const lost = textsOf(source).filter((text) => !isHeld(text, held) && told === '');
      expect(lost).toEqual([]);
      expectSums(report);
      // The omitted texts say how to read the rest, and nothing else.
      for (const place of Object.keys(report.texts[0]?.leftOut ?? {})) {
        expect(place.split('.').findLast((step) => step !== '*')).toMatch(STRUCTURE);
      }
    },
  );

  it.each(CHATS.map((chat) => [chat.format, chat.of, chat] as const))(
    '%s comes back from both exports: %s',
    async (_format, _of, { source }) => {
      await using vizprompt = await emptyProject();
      await vizprompt.importConversations(source);
      for (const { id } of await vizprompt.listFlows()) {
        const [first, second] = await Promise.all(
          (['chatgpt', 'json'] as const).map(async (format) => {
            await using other = await emptyProject();
            const exported = JSON.parse(await vizprompt.exportFlow(id, { format })) as object;
            await other.importConversations(exported);
            return await shapeOf(other);
          }),
        );
        expect(first?.nodes).not.toEqual([]);
        expect(first).toEqual(second);
      }
    },
  );
});

/** Fields whose words only say how the rest is read. */
const STRUCTURE =
  /^(?:type|content_?type|message_?type|user_?type|role|sender|from|author|model|language|status|state|recipient|kind|ft|pt|object|format|products|cwd|producer|display_model|mimeType|media_type|mediaType|direction|source|intended_usage|version|\d+|id|finish_?reason|stop_reason)$/i;

/** Changes a piece of a value as exports change over the years. */
function mutated(value: unknown, at: number, how: number): unknown {
  let left = at;
  const visit = (piece: unknown): unknown => {
    if (typeof piece !== 'object' || piece === null) return piece;
    if (Array.isArray(piece)) return left-- === 0 ? { items: piece.map(visit) } : piece.map(visit);
    return Object.fromEntries(
      Object.entries(piece).map(([key, inner]) => {
        if (left-- !== 0) return [key, visit(inner)];
        return (
          [
            [`${key}_v2`, inner],
            [key, { value: inner }],
            [key, [inner]],
            [key, [{ inner }]],
            [`x${key}`, { nested: { deeply: inner } }],
          ][how % 5] ?? [key, null]
        );
      }),
    );
  };
  return visit(value);
}

function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + 1 + sizeOf(inner), 1);
}

describe('a chat whose form has changed', () => {
  it.each(CHATS.map((chat) => [chat.format, chat.of, chat] as const))(
    'of %s is kept, or reported: %s',
    async (_format, _of, { source }) => {
      const mutation = fc.tuple(fc.nat(), fc.nat());
      await fc.assert(
        fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 2 }), async (mutations) => {
          let changed: unknown = source;
          for (const [at, how] of mutations) changed = mutated(changed, at % sizeOf(changed), how);
          const given: object = typeof changed === 'object' && changed !== null ? changed : [];
          await using vizprompt = await emptyProject();
          try {
            const report = await vizprompt.importConversations(given);
            expectSums(report);
            const held = await allOf(vizprompt);
            const lost = textsOf(given).filter((text) => !isHeld(text, held));
            const told = report.texts.reduce(
              (sum, { leftOut }) =>
                sum + Object.values(leftOut).reduce((all, count) => all + count, 0),
              0,
            );
            expect(lost.length, `lost: ${lost.join(' | ')}`).toBeLessThanOrEqual(told);
          } catch (error) {
            if (!VizPromptError.isInstance(error) || error.code !== 'import-unreadable')
              throw error;
          }
        }),
        { numRuns: randomRuns(2) },
      );
    },
  );
});
