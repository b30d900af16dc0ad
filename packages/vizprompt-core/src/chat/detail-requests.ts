import type { Tool, ToolCallPart } from '@vizprompt/providers';
import type { Language } from '../build/language.ts';

/** The tool by which a model asks for a node in full. */
export const SHOW_NODE: Tool = {
  name: 'show_node',
  description:
    'Gives the full prompt and response of a node of this conversation that is in the context as a summary only.',
  parameters: {
    type: 'object',
    properties: { id: { type: 'string', description: 'the id of the node' } },
    required: ['id'],
    additionalProperties: false,
  },
};

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** The design's form (section 7.3) and the same in English. */
const WRITTEN = new RegExp(
  `[\\[「【]?(${UUID})[\\]」】]?\\s*の詳細を(?:知りたい|見たい|教えて)|show me (?:the details of )?(?:node )?\\[?(${UUID})\\]?`,
  'gi',
);

/** The nodes that an answer asks for in words. */
export function requestedInText(text: string): string[] {
  const ids = Array.from(text.matchAll(WRITTEN), ([, ja, en]) => (ja ?? en ?? '').toLowerCase());
  return [...new Set(ids)];
}

/** The node that a call of {@link SHOW_NODE} asks for. */
export function requestedByCall({ input }: ToolCallPart): string {
  const isObject = typeof input === 'object' && input !== null && 'id' in input;
  const id = isObject ? input['id'] : input;
  return typeof id === 'string' ? id.trim().toLowerCase() : '';
}

/** How a model that has no tools is told to ask. */
export function askingRule(language: Language): string {
  return language === 'ja'
    ? '要約だけのノードについて詳細情報が必要な場合は「[ノードID]の詳細を知りたい」とだけ答えてください。全文をお渡しします。'
    : 'If you need a node that is summarized in full, answer only "show me [node id]" and you will be given it.';
}

/** What a model is given for its request, or why not. */
export function detailText(
  language: Language,
  id: string,
  node: { readonly prompt: string; readonly response: string } | undefined,
): string {
  if (language === 'ja') {
    return node
      ? `[${id}] の全文:\n\n[プロンプト]\n${node.prompt}\n\n[回答]\n${node.response}`
      : `[${id}] というノードはありません。`;
  }
  return node
    ? `[${id}] in full:\n\n[Prompt]\n${node.prompt}\n\n[Response]\n${node.response}`
    : `There is no node [${id}].`;
}
