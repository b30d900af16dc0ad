import { openProject } from './open-project.ts';

export const said = (role: string, content: string): object => ({
  role,
  parts: [{ type: 'text', content }],
});
const call: object = {
  role: 'assistant',
  parts: [{ type: 'tool_call', id: 'c', name: 'look', arguments: { at: 'it' } }],
};
const result: object = {
  role: 'tool',
  parts: [{ type: 'tool_call_response', id: 'c', response: 'rain' }],
};

/** The messages of a call. */
export interface Said {
  readonly input: readonly object[];
  readonly output: readonly object[];
  readonly more?: Readonly<Record<string, string>>;
}

export function attributesOf({ input, output, more = {} }: Said): Readonly<Record<string, string>> {
  return {
    'gen_ai.request.model': 'm',
    'gen_ai.input.messages': JSON.stringify(input),
    'gen_ai.output.messages': JSON.stringify(output),
    ...more,
  };
}

export function listed(attributes: Readonly<Record<string, string>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } }));
}

/** A call of a model as a span of OTLP. */
export function span(traceId: string, second: number, messages: Said): object {
  const startTimeUnixNano = `170000000${second}000000000`;
  return { traceId, startTimeUnixNano, attributes: listed(attributesOf(messages)) };
}

export const traces = (...spans: object[]): object => ({
  resourceSpans: [{ scopeSpans: [{ spans }] }],
});

export const first: Said = { input: [said('user', 'one?')], output: [call] };
export const second: Said = {
  input: [said('user', 'one?'), call, result],
  output: [{ ...said('assistant', 'one.'), finish_reason: 'stop' }],
};
export const third: Said = {
  input: [...second.input, said('assistant', 'one.'), said('user', 'one?')],
  output: [said('assistant', 'one again.')],
};

/** Imports a source; the nodes of each flow as `prompt / response`. */
export async function importedFrom(source: object): Promise<string[][]> {
  const vizprompt = await openProject();
  await vizprompt.importConversations(source);
  const flows: string[][] = [];
  for (const { id } of await vizprompt.listFlows()) {
    const { nodes } = await vizprompt.getFlow(id);
    const read = await Promise.all(nodes.map((node) => vizprompt.getNode(node.id)));
    flows.push(read.map(({ prompt, response }) => `${prompt} / ${response}`));
  }
  return flows;
}
