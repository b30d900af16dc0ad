import type OpenAI from 'openai';

/** The kinds of events that the installed SDK knows. */
type KnownKind = OpenAI.Responses.ResponseStreamEvent['type'];

/** Kinds that newer SDKs know. */
type NewerKind =
  | 'response.compaction.compacting'
  | 'response.shell_call_command.added'
  | 'response.shell_call_command.delta'
  | 'response.shell_call_command.done'
  | 'response.shell_call_output_content.delta'
  | 'response.shell_call_output_content.done';

/**
 * The meaning of an event of the stream:
 *
 * - `response`: the response as a whole, at its beginning or at its end
 * - `item-begins`, `item-ends`: an item of the output; what its end says is complete
 * - `text`, `refusal`, `thought`, `arguments`: a piece of what an item says
 * - `text-ends`, `refusal-ends`, `thought-ends`, `arguments-end`, `content-ends`: the same, whole; it counts where pieces did
 *   not come
 * - `source`: a citation
 * - `error`: the server failed
 * - `progress`: says that work continues; what comes of it is in the item
 * - `item-has-it`: a piece of something that has no deltas in the contract; it is in the item, whole
 * - `sound`: a piece of what the model says aloud
 */
export type EventMeaning =
  | 'response'
  | 'item-begins'
  | 'item-ends'
  | 'text'
  | 'refusal'
  | 'thought'
  | 'arguments'
  | 'text-ends'
  | 'refusal-ends'
  | 'thought-ends'
  | 'arguments-end'
  | 'content-ends'
  | 'source'
  | 'error'
  | 'progress'
  | 'item-has-it'
  | 'sound';

/** Every kind of event: a kind that an SDK adds is an error of types here until its meaning is known. */
export const EVENT_KINDS: Readonly<Record<KnownKind | NewerKind, EventMeaning>> = {
  'response.created': 'response',
  'response.queued': 'response',
  'response.in_progress': 'response',
  'response.completed': 'response',
  'response.incomplete': 'response',
  'response.failed': 'response',
  error: 'error',
  'response.output_item.added': 'item-begins',
  'response.output_item.done': 'item-ends',
  'response.content_part.added': 'progress',
  'response.content_part.done': 'content-ends',
  'response.output_text.delta': 'text',
  'response.output_text.done': 'text-ends',
  'response.output_text.annotation.added': 'source',
  'response.refusal.delta': 'refusal',
  'response.refusal.done': 'refusal-ends',
  'response.reasoning_text.delta': 'thought',
  'response.reasoning_text.done': 'thought-ends',
  'response.reasoning_summary_part.added': 'progress',
  'response.reasoning_summary_part.done': 'progress',
  'response.reasoning_summary_text.delta': 'thought',
  'response.reasoning_summary_text.done': 'thought-ends',
  'response.function_call_arguments.delta': 'arguments',
  'response.function_call_arguments.done': 'arguments-end',
  'response.audio.delta': 'sound',
  'response.audio.done': 'progress',
  'response.audio.transcript.delta': 'text',
  'response.audio.transcript.done': 'progress',
  'response.custom_tool_call_input.delta': 'item-has-it',
  'response.custom_tool_call_input.done': 'item-has-it',
  'response.code_interpreter_call.in_progress': 'progress',
  'response.code_interpreter_call.interpreting': 'progress',
  'response.code_interpreter_call.completed': 'progress',
  'response.code_interpreter_call_code.delta': 'item-has-it',
  'response.code_interpreter_call_code.done': 'item-has-it',
  'response.file_search_call.in_progress': 'progress',
  'response.file_search_call.searching': 'progress',
  'response.file_search_call.completed': 'progress',
  'response.web_search_call.in_progress': 'progress',
  'response.web_search_call.searching': 'progress',
  'response.web_search_call.completed': 'progress',
  'response.image_generation_call.in_progress': 'progress',
  'response.image_generation_call.generating': 'progress',
  'response.image_generation_call.partial_image': 'item-has-it',
  'response.image_generation_call.completed': 'progress',
  'response.mcp_call.in_progress': 'progress',
  'response.mcp_call.completed': 'progress',
  'response.mcp_call.failed': 'progress',
  'response.mcp_call_arguments.delta': 'item-has-it',
  'response.mcp_call_arguments.done': 'item-has-it',
  'response.mcp_list_tools.in_progress': 'progress',
  'response.mcp_list_tools.completed': 'progress',
  'response.mcp_list_tools.failed': 'progress',
  'response.compaction.compacting': 'progress',
  'response.shell_call_command.added': 'item-has-it',
  'response.shell_call_command.delta': 'item-has-it',
  'response.shell_call_command.done': 'item-has-it',
  'response.shell_call_output_content.delta': 'item-has-it',
  'response.shell_call_output_content.done': 'item-has-it',
};

/** Kinds of other servers, such as OpenRouter and LM Studio. */
const OTHER_KINDS: Readonly<Record<string, EventMeaning>> = {
  'response.reasoning.delta': 'thought',
  'response.reasoning.done': 'thought-ends',
  'response.reasoning_summary.delta': 'thought',
  'response.reasoning_summary.done': 'thought-ends',
};

const MEANINGS = new Map<string, EventMeaning>(Object.entries({ ...EVENT_KINDS, ...OTHER_KINDS }));

/** Returns the meaning of a kind; an unknown one means progress. */
export function meaningOf(kind: string): EventMeaning {
  return MEANINGS.get(kind) ?? 'progress';
}
