import type OpenAI from 'openai';
import { mention, toolContent, toolOutputText } from '../../adapter-kit/tool-content.ts';
import { base64Of, urlOf } from '../../adapter-kit/wire.ts';
import { type Fields, fieldsOf, parseJson, stringOf } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import type { FilePart, ToolResultPart } from '../../models/message.ts';

/** The types of items that the installed SDK knows. */
type ItemType = OpenAI.Responses.ResponseOutputItem['type'];

/**
 * How an item of an answer becomes parts:
 *
 * - `message`, `reasoning`, `function_call`, `image`: text and sources, reasoning, a call, a file
 * - `server-call`: a tool that the server ran, as a call with its result
 * - `open-call`: a call that the caller must answer
 * - `output`: the result of a call, which the server ran
 * - `carried`: nothing to show; it goes back as it came
 */
type ItemRole =
  | 'message'
  | 'reasoning'
  | 'function_call'
  | 'image'
  | 'server-call'
  | 'open-call'
  | 'output'
  | 'carried';

/** How items of a type are read. */
interface ItemKind {
  readonly role: ItemRole;
  /** The tool that the call is of. Default: the item's `name`, or its type without `_call`. */
  readonly tool?: string;
  /** Fields that are the input of the call; one that is JSON text alone is parsed. */
  readonly input?: readonly string[];
  /** Fields that are its result; absent where the result is an item of its own. */
  readonly output?: readonly string[];
}

/** Every type of items that an answer may have. */
export const ITEM_KINDS: Readonly<Record<ItemType, ItemKind>> = {
  message: { role: 'message' },
  reasoning: { role: 'reasoning' },
  function_call: { role: 'function_call' },
  image_generation_call: { role: 'image' },
  web_search_call: { role: 'server-call', input: ['action'], output: ['status', 'results'] },
  file_search_call: { role: 'server-call', input: ['queries'], output: ['status', 'results'] },
  code_interpreter_call: {
    role: 'server-call',
    input: ['code'],
    output: ['status', 'outputs'],
  },
  mcp_call: { role: 'server-call', input: ['arguments'], output: ['output', 'error'] },
  mcp_list_tools: {
    role: 'server-call',
    tool: 'mcp_list_tools',
    input: ['server_label'],
    output: ['tools', 'error'],
  },
  program: { role: 'server-call', input: ['code'] },
  tool_search_call: { role: 'open-call', input: ['arguments'] },
  custom_tool_call: { role: 'open-call', input: ['input'] },
  computer_call: {
    role: 'open-call',
    input: ['action', 'actions', 'pending_safety_checks'],
  },
  local_shell_call: { role: 'open-call', input: ['action'] },
  shell_call: { role: 'open-call', input: ['action', 'environment'] },
  apply_patch_call: { role: 'open-call', input: ['operation'] },
  mcp_approval_request: {
    role: 'open-call',
    tool: 'mcp_approval_request',
    input: ['server_label', 'name', 'arguments'],
  },
  function_call_output: { role: 'output', output: ['output'] },
  computer_call_output: { role: 'output', output: ['output'] },
  local_shell_call_output: { role: 'output', output: ['output'] },
  shell_call_output: { role: 'output', output: ['output'] },
  apply_patch_call_output: { role: 'output', output: ['status', 'output'] },
  custom_tool_call_output: { role: 'output', output: ['output'] },
  tool_search_output: { role: 'output', output: ['tools'] },
  program_output: { role: 'output', output: ['result'] },
  compaction: { role: 'carried' },
  additional_tools: { role: 'carried' },
  mcp_approval_response: { role: 'carried' },
};

const KINDS = new Map<string, ItemKind>(Object.entries(ITEM_KINDS));

/** How an item is read; a type of tomorrow by the end of its name. */
export function kindOf(item: Fields): ItemKind {
  const type = stringOf(item['type']) ?? '';
  const kind = KINDS.get(type);
  if (kind?.role === 'open-call')
    return isRunByServer(item) ? { ...kind, role: 'server-call' } : kind;
  if (kind) return kind;
  if (type.endsWith('_call')) return { role: 'server-call' };
  return { role: type.endsWith('_output') ? 'output' : 'carried' };
}

/** Some tools run here or there: a shell in a container of the server, a search for tools. */
function isRunByServer(item: Fields): boolean {
  const environment = stringOf(fieldsOf(item['environment'])['type']) ?? '';
  return item['execution'] === 'server' || environment.startsWith('container');
}

/** Returns the name of the tool that an item calls. */
export function toolOf(item: Fields, { tool }: ItemKind): string {
  const type = stringOf(item['type']) ?? 'tool';
  return tool ?? stringOf(item['name']) ?? type.replace(/_call$/, '');
}

/** Returns the given fields of an item; one alone is its value, and JSON in it is parsed. */
export function pick(item: JsonObject, names: readonly string[] = []): JsonValue {
  const [name] = names;
  if (name !== undefined && names.length === 1) {
    const value = item[name] ?? null;
    return typeof value === 'string' && name === 'arguments' ? (parseJson(value) ?? value) : value;
  }
  return Object.fromEntries(
    names.flatMap((key) => {
      const value = item[key];
      return value === undefined || value === null ? [] : [[key, value] as const];
    }),
  );
}

/** Writes the result of a call in the form that the call's type wants. */
type WriteAnswer = (part: ToolResultPart) => JsonObject;

/** Fields that the caller gives by name are used as they are; anything else is the `output`. */
function given({ output }: ToolResultPart, ...keys: readonly string[]): JsonObject {
  return isJsonObject(output) && keys.some((key) => key in output) ? output : { output };
}

const ANSWERS: Readonly<Record<string, WriteAnswer>> = {
  custom_tool_call: (part) => ({
    type: 'custom_tool_call_output',
    call_id: part.id,
    output: contentOf(part) ?? toolOutputText(part),
  }),
  computer_call: (part) => {
    const { output, ...rest } = given(part, 'output');
    const screenshot =
      typeof output === 'string' ? { type: 'computer_screenshot', image_url: output } : output;
    return { type: 'computer_call_output', call_id: part.id, ...rest, output: screenshot ?? null };
  },
  local_shell_call: (part) => ({
    type: 'local_shell_call_output',
    id: part.id,
    output: toolOutputText(part),
  }),
  shell_call: (part) => {
    const { output } = part;
    const outcome = { type: 'exit', exit_code: part.isError ? 1 : 0 };
    return {
      type: 'shell_call_output',
      call_id: part.id,
      output: Array.isArray(output)
        ? output
        : [
            {
              stdout: part.isError ? '' : toolOutputText(part),
              stderr: part.isError ? toolOutputText(part) : '',
              outcome,
            },
          ],
    };
  },
  apply_patch_call: (part) => ({
    type: 'apply_patch_call_output',
    call_id: part.id,
    status: part.isError ? 'failed' : 'completed',
    output: toolOutputText(part),
  }),
  mcp_approval_request: (part) => {
    const { output, isError = false } = part;
    const { approve, reason } = fieldsOf(output);
    const why = stringOf(reason) ?? (isError ? toolOutputText(part) : undefined);
    return {
      type: 'mcp_approval_response',
      approval_request_id: part.id,
      approve: !isError && (output === true || approve === true),
      ...(why === undefined ? {} : { reason: why }),
    };
  },
  tool_search_call: (part) => {
    const { tools, output } = given(part, 'tools');
    return {
      type: 'tool_search_output',
      call_id: part.id,
      execution: 'client',
      status: 'completed',
      tools: tools ?? output ?? [],
    };
  },
};

/**
 * Returns a result of a tool as an item.
 *
 * @param type - The type of the item that called.
 */
export function writeAnswer(part: ToolResultPart, type: string = 'function_call'): JsonObject {
  const write = Object.hasOwn(ANSWERS, type) ? ANSWERS[type] : undefined;
  return (
    write?.(part) ?? {
      type: 'function_call_output',
      call_id: part.id,
      output: contentOf(part) ?? toolOutputText(part),
    }
  );
}

/** Pictures and files are content, as they are where they have the API's own form; all else is text. */
function contentOf({ output, isError = false }: ToolResultPart): JsonValue | undefined {
  if (isError) return undefined;
  const isOwn =
    Array.isArray(output) &&
    output.length > 0 &&
    output.every((item: unknown) =>
      /^input_(?:text|image|file)$/.test(stringOf(fieldsOf(item)['type']) ?? ''),
    );
  if (isOwn) return output;
  const content = toolContent(output);
  if (content.every(({ type }) => type === 'text')) return undefined;
  return content.map((part) => {
    if (part.type === 'text') return { type: 'input_text', text: part.text };
    // Sound is not content of a result.
    return part.mediaType.startsWith('audio/')
      ? { type: 'input_text', text: mention(part) }
      : fileContent(part);
  });
}

/** Writes a file as an item of content. */
export function fileContent(part: FilePart): JsonObject {
  const { mediaType, name = 'file', data } = part;
  if (mediaType.startsWith('image/')) {
    return { type: 'input_image', image_url: urlOf(part), detail: 'auto' };
  }
  const format = /^audio\/(?:x-)?(wav|mpeg|mp3)$/.exec(mediaType)?.[1];
  const bytes = base64Of(part);
  if (format !== undefined && bytes !== undefined) {
    const audio = { data: bytes, format: format === 'wav' ? 'wav' : 'mp3' };
    return { type: 'input_audio', input_audio: audio };
  }
  if (data instanceof URL) return { type: 'input_file', file_url: data.href };
  return { type: 'input_file', filename: name, file_data: urlOf(part) };
}
