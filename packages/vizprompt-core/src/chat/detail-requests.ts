import type { Tool, ToolCallPart } from '@vizprompt/providers';
import type { Language } from '../build/language.ts';

/** The tool by which a model asks for a node in full. */
export const SHOW_NODE: Tool = {
  name: 'show_node',
  description:
    'Gives the full prompt and response of a node of this conversation that is in the context as a summary only.',
  parameters: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'its number in the context, such as 12, or its id' },
    },
    required: ['id'],
    additionalProperties: false,
  },
};

/** How nodes are asked for in words, in Japanese and English; they go by their number or their id. */
const WRITTEN =
  /[[「【]([^[\]「」【】\s]{1,40})[\]」】]\s*の詳細を(?:知りたい|見たい|教えて)|show me (?:the details of )?\[([^[\]\s]{1,40})\]/gi;
/** What stands for a number in {@link askingRule}: an answer that quotes the rule asks for nothing. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(['番号', 'number']);

/** The nodes that an answer asks for in words. */
export function requestedInText(text: string): string[] {
  const ids = Array.from(text.matchAll(WRITTEN), ([, ja, en]) => ja ?? en ?? '');
  return [...new Set(ids)].filter((id) => !PLACEHOLDERS.has(id.toLowerCase()));
}

/** The node that a call of {@link SHOW_NODE} asks for. */
export function requestedByCall({ input }: ToolCallPart): string {
  const isObject = typeof input === 'object' && input !== null && 'id' in input;
  const id = isObject ? input['id'] : input;
  return typeof id === 'string' || typeof id === 'number'
    ? String(id).replaceAll(/[[\]\s]/g, '')
    : '';
}

/** How a model that has no tools is told to ask. */
export function askingRule(language: Language): string {
  return language === 'ja'
    ? '詳細情報が必要な場合は「[番号]の詳細を知りたい」と指示できます。'
    : 'If you need the details of a turn, say "show me [number]".';
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
