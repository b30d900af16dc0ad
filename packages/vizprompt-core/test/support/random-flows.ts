import type { StoredFlow, VizPrompt } from '@vizprompt/core';
import fc from 'fast-check';

const words = ['', '質問', '答え 🐈', 'a\n\nb', '\ud800', '\0\u001b', ']]>', '  ', '"<&>\\'];
const word = fc.constantFrom(...words);

/** A node to be: a text for each side, and which of the nodes so far it continues from. */
interface Step {
  readonly prompt: string;
  readonly response: string;
  readonly parents: readonly number[];
  readonly isAborted: boolean;
  readonly extra: 'none' | 'system' | 'reasoning' | 'file';
}

/** The steps that make a flow. */
export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    prompt: word,
    response: word,
    parents: fc.uniqueArray(fc.nat(), { maxLength: 3 }),
    isAborted: fc.boolean(),
    extra: fc.constantFrom('none', 'system', 'reasoning', 'file'),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Makes the flow of some steps. */
export async function make(vizprompt: VizPrompt, made: readonly Step[]): Promise<StoredFlow> {
  const ids: string[] = [];
  for (const { prompt, response, parents, isAborted, extra } of made) {
    const after = [...new Set(parents.map((at) => ids[at % ids.length]))].filter(
      (id) => id !== undefined,
    );
    const node = await vizprompt.createNode(
      {
        prompt,
        response,
        model: 'gpt-4o',
        ...(isAborted && response !== '' ? { status: 'aborted' } : {}),
        tags: ['猫', prompt].filter((tag) => tag !== ''),
        promptParts:
          extra === 'system'
            ? [{ type: 'data', kind: 'text', value: 'scene', role: 'system' }]
            : extra === 'file'
              ? [
                  { type: 'text', start: 0, end: prompt.length },
                  { type: 'file', uri: 'https://example.org/猫.png' },
                ]
              : [],
        responseParts:
          extra === 'reasoning'
            ? [
                { type: 'reasoning', text: '考え', meta: { signature: 's' } },
                { type: 'tool-call', id: 'c', tool: 'web', input: { q: '猫' } },
                { type: 'tool-result', id: 'c', tool: 'web', output: [1], role: 'tool' },
                { type: 'text', start: 0, end: response.length },
              ]
            : [],
      },
      { after: after.length > 0 ? after : null, ...(prompt === '' ? {} : { branchName: prompt }) },
    );
    ids.push(node.id);
  }
  return vizprompt.getFlow();
}
