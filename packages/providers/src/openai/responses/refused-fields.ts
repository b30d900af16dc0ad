import { type Droppable, inBody, leaveOut } from '../../adapter-kit/refused-fields.ts';
import { fieldsOf, listOf, stringOf } from '../../json/fields.ts';
import {
  looserOutput,
  otherEffort,
  OUTPUT_NAMES,
  roles,
  SAMPLING,
  STREAM,
  TOOL_CHOICE,
} from '../droppables.ts';
import type { Settings } from '../settings.ts';
import { kindOf } from './items.ts';
import { placeOf } from './write-request.ts';

function inputOf(body: object): readonly unknown[] {
  return listOf(fieldsOf(body)['input']);
}

/** Checks whether the input has an item that came from an answer and plays such a role. */
function hasItem(body: object, isMeant: (role: string) => boolean): unknown {
  return inputOf(body).find((item) => {
    const fields = fieldsOf(item);
    return stringOf(fields['type']) !== undefined && isMeant(kindOf(fields).role);
  });
}

function reasoningIn(body: object): unknown {
  return fieldsOf(body)['reasoning'];
}

/** A response that is gone is in the history, too, where the caller gave it. */
const withoutPrevious = (settings: Settings): Settings | undefined => {
  const { messages, providerOptions = {} } = settings.request;
  const own = { ...providerOptions['openai'], ...providerOptions[settings.profile.name] };
  const previous = stringOf(own['previous_response_id']);
  const isKnown = previous !== undefined && placeOf(messages, previous) >= 0;
  return isKnown ? leaveOut<Settings>('previous_response_id')(settings) : undefined;
};

/**
 * The fields that servers of the Responses API may refuse, the least important first.
 *
 * Sources: OpenAI ("Encrypted content is not supported with this model", "Your organization must be verified to generate
 * reasoning summaries", "Previous response with id … not found", "The encrypted content … could not be verified", "Item
 * with id … not found"), Azure, OpenRouter, xAI, vLLM, LM Studio, Ollama; vercel/ai#7099, openai-agents-python#722.
 */
export const DROPPABLE: readonly Droppable<Settings>[] = [
  STREAM,
  {
    names: ['include'],
    sent: inBody('include'),
    isMeant: (said, param) =>
      param === 'include' ||
      /\binclude\b|encrypted (?:content|reasoning) (?:is|are) not supported|reasoning\.encrypted_content/i.test(
        said,
      ),
    isWish: true,
    adapt: leaveOut('include'),
  },
  { names: ['store'], sent: inBody('store'), isWish: true, adapt: leaveOut('store') },
  {
    names: ['previous_response_id'],
    sent: inBody('previous_response_id'),
    isMeant: (said, param) =>
      param === 'previous_response_id' || /previous[_ ]response/i.test(said),
    isWish: true,
    adapt: withoutPrevious,
  },
  {
    names: ['reasoning.summary'],
    field: 'reasoning',
    instead: 'the answer has no summary of the thoughts',
    sent: (body) => fieldsOf(reasoningIn(body))['summary'],
    isMeant: (said, param) => /summar(?:y|ies)/i.test(`${said} ${param ?? ''}`),
    isWish: true,
    adapt: leaveOut('reasoning.summary'),
  },
  {
    names: ['reasoning items'],
    field: 'messages',
    instead: 'the reasoning of earlier turns was left out',
    sent: (body) => hasItem(body, (role) => role === 'reasoning'),
    isMeant: (said, param) =>
      /encrypted[_ ]content|invalid_encrypted|type ['"`]?reasoning|reasoning['"`]? items?|\brs_\w+/i.test(
        said,
      ) || /^input.*(?:encrypted_content|summary)/.test(param ?? ''),
    isWish: true,
    adapt: leaveOut('reasoning items'),
  },
  {
    names: ['server items'],
    field: 'messages',
    instead: 'the results of server tools in earlier turns were left out',
    sent: (body) =>
      hasItem(body, (role) => ['server-call', 'output', 'image', 'carried'].includes(role)),
    isMeant: (said, param) =>
      /\b(?:ws|fs|ci|ig|mcp|mcpl|cmp)_\w+|(?:web_search|file_search|code_interpreter|image_generation|mcp)_call|mcp_list_tools|compaction/i.test(
        said,
      ) || /^input\[\d+\](?:\.(?:type|id|action|status|result|outputs))?$/.test(param ?? ''),
    isWish: true,
    adapt: leaveOut('server items'),
  },
  ...roles(inputOf),
  ...SAMPLING,
  {
    names: ['reasoning.effort', 'reasoning_effort'],
    field: 'reasoning',
    instead: 'the model thinks as much as it does, or as the server allows',
    sent: (body) => fieldsOf(reasoningIn(body))['effort'] ?? reasoningIn(body),
    isMeant: (said, param) =>
      /effort|['"`.]reasoning['"`.]|reasoning (?:is|are|parameter|mode)|thinking/i.test(
        `${said} ${param === undefined ? '' : `'${param}'`}`,
      ) && !/summar/i.test(said),
    isWish: true,
    adapt: otherEffort,
  },
  TOOL_CHOICE,
  {
    names: ['text.format', ...OUTPUT_NAMES],
    field: 'output',
    instead: 'the model was asked in words',
    isWish: true,
    sent: (body) => fieldsOf(fieldsOf(body)['text'])['format'],
    adapt: looserOutput,
  },
];
