import { createHash } from 'node:crypto';
import { isProviderExecuted } from '../../adapter-kit/tool-content.ts';
import { base64Of, unsentFiles } from '../../adapter-kit/wire.ts';
import { listAt, listOf, objectAt, objectOf, omitUndefined, stringOf } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import type { ChatWarning } from '../../models/events.ts';
import { type Message, type Part, textMessage, textOf } from '../../models/message.ts';
import type { ChatRequest } from '../../models/request.ts';
import { effortFor, mayReason } from '../model-families.ts';
import { instructionFor, outputForm } from '../output-form.ts';
import type { Settings } from '../settings.ts';
import { fileContent, kindOf, writeAnswer } from './items.ts';

/** The settings of a call's model besides its connection. */
export interface ResponsesSettings {
  /** True if the server keeps responses, for 30 days. Default: `false`. */
  readonly store: boolean;
  /** Tools that the server runs. */
  readonly serverTools: readonly JsonObject[];
}

/** The body of a request, and what of it the server cannot do. */
export interface WrittenBody {
  readonly body: JsonObject;
  readonly warnings: readonly ChatWarning[];
  readonly isStored: boolean;
}

/** The additional data of tool items to ask for: without it, their results are left out. */
const INCLUDED_OF: Readonly<Record<string, string>> = {
  web_search: 'web_search_call.action.sources',
  web_search_preview: 'web_search_call.action.sources',
  file_search: 'file_search_call.results',
  code_interpreter: 'code_interpreter_call.outputs',
};

/** Writes a request for the Responses API. */
export function writeRequest(
  model: string,
  settings: Settings,
  { store, serverTools }: ResponsesSettings,
): WrittenBody {
  const { request, profile, isWhole = false, without = [] } = settings;
  const { output, providerOptions } = request;
  const own = inOwnWords({
    ...providerOptions?.['openai'],
    ...(profile.name === 'openai' ? {} : providerOptions?.[profile.name]),
  });
  const isStored = own['store'] === undefined ? store : own['store'] === true;
  const allTools = [...serverTools, ...listAt(own, 'tools').map(objectOf)];
  const asked = stringOf(own['previous_response_id']);
  const previous = without.includes('previous_response_id') ? undefined : asked;
  const instruction = instructionFor(output, profile);
  const said: readonly Message[] = [
    ...(instruction === undefined ? [] : [textMessage('system', instruction)]),
    ...request.messages,
  ];
  const input = writeInput(said, settings, { previous, isStored });
  const format = outputForm(output, profile);
  const tools = toolsOf(request, allTools);
  const include = includeOf(model, settings, { own, tools: allTools, isStored });
  const known: Readonly<Record<string, JsonValue | undefined>> = {
    model,
    input,
    ...(isWhole ? {} : { stream: true }),
    store: without.includes('store') ? undefined : isStored,
    max_output_tokens: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    top_k: profile.topK ? request.topK : undefined,
    reasoning: reasoningOf(settings),
    text: format && { format },
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: tools.length > 0 && profile.toolChoice ? choiceOf(request, allTools) : undefined,
    include: include.length > 0 ? include : undefined,
  };
  const { tools: _tools, include: _include, previous_response_id: _id, ...rest } = own;
  return {
    body: {
      ...omitUndefined(known),
      ...profile.extraBody,
      ...merged(known, rest),
      ...(previous === undefined ? {} : { previous_response_id: previous }),
    },
    warnings: warningsOf(settings),
    isStored,
  };
}

/** Fields of Chat Completions that have another name here: the caller may not know which protocol is chosen. */
const RENAMED: Readonly<Record<string, (value: JsonValue) => JsonObject>> = {
  reasoning_effort: (effort) => ({ reasoning: { effort } }),
  verbosity: (verbosity) => ({ text: { verbosity } }),
  max_completion_tokens: (tokens) => ({ max_output_tokens: tokens }),
  max_tokens: (tokens) => ({ max_output_tokens: tokens }),
};

function inOwnWords(own: JsonObject): JsonObject {
  return Object.entries(own).reduce((fields: JsonObject, [key, value]) => {
    const renamed = Object.hasOwn(RENAMED, key) ? RENAMED[key]?.(value) : undefined;
    const added = renamed ?? { [key]: value };
    return { ...fields, ...merged(fields, added) };
  }, {});
}

/** Objects of the caller (`reasoning`, `text`) add to ours. */
function merged(
  known: Readonly<Record<string, JsonValue | undefined>>,
  own: JsonObject,
): JsonObject {
  return Object.fromEntries(
    Object.entries(own).map(([key, value]) => {
      const ours = known[key];
      return [key, isJsonObject(ours) && isJsonObject(value) ? { ...ours, ...value } : value];
    }),
  );
}

function reasoningOf({ request, profile, without = [] }: Settings): JsonObject | undefined {
  const { reasoning } = request;
  if (reasoning === undefined || profile.reasoningEffort === 'none') return undefined;
  const effort = effortFor(reasoning, profile);
  const hasSummary = effort !== 'none' && !without.includes('reasoning.summary');
  const known = {
    ...(effort === undefined ? {} : { effort }),
    ...(hasSummary ? { summary: 'auto' } : {}),
  };
  return Object.keys(known).length > 0 ? known : undefined;
}

function toolsOf({ tools = [] }: ChatRequest, serverTools: readonly JsonObject[]): JsonObject[] {
  const functions = tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    ...(description === undefined ? {} : { description }),
    parameters,
    // The API would hold the model to the schema, and refuse most.
    strict: false,
  }));
  return [...functions, ...serverTools];
}

function choiceOf(
  { toolChoice }: ChatRequest,
  serverTools: readonly JsonObject[],
): JsonValue | undefined {
  if (typeof toolChoice !== 'object') return toolChoice;
  const { tool } = toolChoice;
  const isOfServer = serverTools.some(({ type, name }) => type === tool && name !== tool);
  return isOfServer ? { type: tool } : { type: 'function', name: tool };
}

function includeOf(
  model: string,
  { profile, without = [] }: Settings,
  {
    own,
    tools,
    isStored,
  }: {
    readonly own: JsonObject;
    readonly tools: readonly JsonObject[];
    readonly isStored: boolean;
  },
): string[] {
  const ofTools = tools.flatMap(({ type }) => INCLUDED_OF[stringOf(type) ?? ''] ?? []);
  const isEncrypted = !isStored && (profile.name !== 'openai' || mayReason(model));
  const ours = [...(isEncrypted ? ['reasoning.encrypted_content'] : []), ...ofTools];
  const asked = listAt(own, 'include').flatMap((name) => stringOf(name) ?? []);
  return [...new Set([...(without.includes('include') ? [] : ours), ...asked])];
}

function warningsOf({ request, profile }: Settings): ChatWarning[] {
  const own = request.messages.map((message) =>
    message.role === 'assistant'
      ? { ...message, parts: message.parts.filter(({ meta }) => !meta?.['openai']?.['item']) }
      : message,
  );
  const warnings = unsentFiles(own, ['system', 'assistant']);
  const { stop = [], seed, topK, toolChoice, reasoning = 'default' } = request;
  const leftOut = (field: string): void => {
    warnings.push({ field, message: `the Responses API has no ${field}; it was left out` });
  };
  if (stop.length > 0) leftOut('stop');
  if (seed !== undefined) leftOut('seed');
  if (topK !== undefined && !profile.topK) leftOut('topK');
  if (toolChoice !== undefined && toolChoice !== 'auto' && !profile.toolChoice) {
    const message = `${profile.name} has no toolChoice; the model decides alone`;
    warnings.push({ field: 'toolChoice', message });
  }
  if (reasoning !== 'default' && profile.reasoningEffort === 'none') {
    const message = `${profile.name} has no setting for how much to think`;
    warnings.push({ field: 'reasoning', message });
  }
  return warnings;
}

/**
 * Writes messages as items.
 *
 * @param previous - The id of the response that the request continues: what it has is not sent again.
 * @param isStored - The server keeps responses, so that items it keeps to itself may go back by their id.
 */
function writeInput(
  messages: readonly Message[],
  settings: Settings,
  { previous, isStored }: { readonly previous: string | undefined; readonly isStored: boolean },
): readonly JsonObject[] {
  const at = previous === undefined ? -1 : placeOf(messages, previous);
  const types = callTypes(messages);
  const context = { settings, isStored, types };
  return messages.slice(at + 1).flatMap((message) => writeMessage(message, context));
}

/** Returns the place of the message that a response gave; -1 if it is not among them. */
export function placeOf(messages: readonly Message[], response: string): number {
  return messages.findLastIndex(({ parts }) =>
    parts.some(({ meta }) => meta?.['openai']?.['response'] === response),
  );
}

interface Context {
  readonly settings: Settings;
  readonly isStored: boolean;
  /** The types of the items that called, by the ids of the calls. */
  readonly types: ReadonlyMap<string, string>;
}

function callTypes(messages: readonly Message[]): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const part of messages.flatMap(({ parts }) => parts)) {
    const type = part.type === 'tool-call' ? stringOf(itemOf(part)?.['type']) : undefined;
    if (part.type === 'tool-call' && type !== undefined) types.set(part.id, type);
  }
  return types;
}

function writeMessage(message: Message, context: Context): JsonObject[] {
  const { role, parts } = message;
  const { profile } = context.settings;
  if (role === 'system') return [{ role: profile.systemRole, content: textOf(message) }];
  if (role === 'assistant') return writeAssistant(parts, context);
  const results = parts.flatMap((part) =>
    part.type === 'tool-result' && !isProviderExecuted(part)
      ? [withCallId(writeAnswer(part, context.types.get(part.id)))]
      : [],
  );
  const content = parts.flatMap(contentOf);
  if (content.length === 0) return results;
  const isText = content.every(({ type }) => type === 'input_text');
  return [...results, { role: 'user', content: isText ? textOf(message) : content }];
}

function contentOf(part: Part): JsonObject[] {
  if (part.type === 'text') return [{ type: 'input_text', text: part.text }];
  return part.type === 'file' ? [fileContent(part)] : [];
}

function writeAssistant(parts: readonly Part[], context: Context): JsonObject[] {
  const items = parts.flatMap((part) => writePart(part, context));
  // Reasoning that nothing follows is refused.
  const end = items.findLastIndex(({ type }) => type !== 'reasoning') + 1;
  return items.slice(0, end);
}

function writePart(part: Part, context: Context): JsonObject[] {
  const item = itemOf(part);
  switch (part.type) {
    case 'text': {
      if (part.text === '') return [];
      const phase = part.meta?.['openai']?.['phase'];
      const text = { role: 'assistant', content: part.text };
      return [phase === undefined ? text : { ...text, phase }];
    }
    case 'reasoning':
      return item ? writeCarried(item, context) : [];
    case 'file':
      return item && takesItems(context) ? [{ ...item, result: base64Of(part) ?? null }] : [];
    case 'tool-call': {
      if (isProviderExecuted(part)) return item && takesItems(context) ? [item] : [];
      if (item && kindOf(item).role !== 'function_call') return [item];
      const { id, name, input } = part;
      return [
        withCallId({
          ...item,
          type: 'function_call',
          call_id: id,
          name,
          arguments: JSON.stringify(input),
        }),
      ];
    }
    case 'tool-result':
      return item && isProviderExecuted(part) && takesItems(context) ? [item] : [];
    default:
      return [];
  }
}

/** Returns the item that a part came from, where it must go back whole. */
function itemOf({ meta }: Part): JsonObject | undefined {
  const item = objectAt(meta?.['openai'] ?? {}, 'item');
  return stringOf(item['type']) === undefined ? undefined : item;
}

/** Reasoning, and items that have nothing to show. */
function writeCarried(item: JsonObject, context: Context): JsonObject[] {
  if (item['type'] !== 'reasoning') return takesItems(context) ? [item] : [];
  const { without = [] } = context.settings;
  if (without.includes('reasoning items')) return [];
  const { id, summary = [], content, encrypted_content: encrypted } = item;
  const isOpen = listOf(content).length > 0;
  // Without its content the server would have to know it by its id.
  if (!context.isStored && !encrypted && !isOpen) return [];
  return [
    {
      type: 'reasoning',
      ...(id === undefined ? {} : { id }),
      summary,
      ...(isOpen ? { content: content ?? [] } : {}),
      ...(encrypted === undefined || encrypted === null ? {} : { encrypted_content: encrypted }),
    },
  ];
}

/** Checks whether the server accepts the items of its own tools. */
function takesItems({ settings }: Context): boolean {
  return !settings.without?.includes('server items');
}

/** The longest id of a call that the API takes. */
const MAX_ID = 64;

/** Ids that another server made may be longer: the same for the same id. */
function withCallId(item: JsonObject): JsonObject {
  const id: JsonValue | undefined = item['call_id'];
  if (typeof id !== 'string' || id.length <= MAX_ID) return item;
  return { ...item, call_id: `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}` };
}
