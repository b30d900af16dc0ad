/**
 * The model as zod schemas, for borders where data comes from outside. Loads zod.
 *
 * @module @vizprompt/memory/schemas
 */
import { z } from 'zod';
import type { EventDataMap } from '../model/event-data.ts';
import type { NewEvent } from '../model/memory-event.ts';
import type { SessionMetadata } from '../model/session.ts';
import type { NewSession } from '../session/start-session.ts';

/** @see UserMessageData */
export const userMessageSchema: z.ZodType<EventDataMap['user_message']> = z.strictObject({
  content: z.string(),
});

/** @see AssistantMessageData */
export const assistantMessageSchema: z.ZodType<EventDataMap['assistant_message']> = z.strictObject({
  content: z.string(),
  tool_calls: z.array(z.strictObject({ tool: z.string(), args: z.json() })).exactOptional(),
});

/** @see ThinkingData */
export const thinkingSchema: z.ZodType<EventDataMap['thinking']> = z.strictObject({
  content: z.string(),
  context: z.string().exactOptional(),
});

const action = z.enum(['create', 'edit', 'delete']);
const contents = {
  old_content: z.string().exactOptional(),
  new_content: z.string().exactOptional(),
};

/** @see CodeIntentionData */
export const codeIntentionSchema: z.ZodType<EventDataMap['code_intention']> = z.strictObject({
  action,
  file_path: z.string().min(1),
  reason: z.string(),
  ...contents,
  diff: z.string().exactOptional(),
});

/** @see FileEditData */
export const fileEditSchema: z.ZodType<
  Omit<EventDataMap['file_edit'], 'diff'> & { readonly diff?: string }
> = z.strictObject({
  action,
  file_path: z.string().min(1),
  ...contents,
  diff: z.string().exactOptional(),
  intention_event_id: z.string().min(1).max(200).exactOptional(),
  success: z.boolean(),
  error_message: z.string().exactOptional(),
});

/** @see ToolUseData */
export const toolUseSchema: z.ZodType<EventDataMap['tool_use']> = z.strictObject({
  tool: z.string().min(1),
  parameters: z.json(),
  result: z.json().exactOptional(),
  duration_ms: z.number().nonnegative().exactOptional(),
  success: z.boolean().exactOptional(),
});

/** The schema of the data of each type of event, as it is logged. */
export const eventDataSchemas: {
  readonly user_message: typeof userMessageSchema;
  readonly assistant_message: typeof assistantMessageSchema;
  readonly thinking: typeof thinkingSchema;
  readonly code_intention: typeof codeIntentionSchema;
  readonly file_edit: typeof fileEditSchema;
  readonly tool_use: typeof toolUseSchema;
} = {
  user_message: userMessageSchema,
  assistant_message: assistantMessageSchema,
  thinking: thinkingSchema,
  code_intention: codeIntentionSchema,
  file_edit: fileEditSchema,
  tool_use: toolUseSchema,
};

/** @see SessionMetadata */
export const sessionMetadataSchema: z.ZodType<SessionMetadata> = z
  .object({
    branch: z.string().exactOptional(),
    initial_context: z.string().exactOptional(),
    user: z.string().exactOptional(),
    room: z.string().exactOptional(),
    tags: z.array(z.string()).exactOptional(),
  })
  .catchall(z.json());

/** @see NewSession */
export const newSessionSchema: z.ZodType<NewSession> = z.strictObject({
  id: z.string().min(1).max(200).exactOptional(),
  workspace: z.string().min(1).exactOptional(),
  startedAt: z.iso.datetime({ offset: true }).exactOptional(),
  metadata: sessionMetadataSchema.exactOptional(),
  ifExists: z.enum(['fail', 'keep']).exactOptional(),
  user: z.string().exactOptional(),
  room: z.string().exactOptional(),
});

const facts = {
  id: z.string().min(1).max(200).exactOptional(),
  timestamp: z.iso.datetime({ offset: true }).exactOptional(),
  parent: z.string().min(1).max(200).exactOptional(),
  meta: z.record(z.string(), z.json()).exactOptional(),
};

/** @see NewEvent */
export const newEventSchema: z.ZodType<NewEvent> = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('user_message'),
    data: eventDataSchemas.user_message,
    ...facts,
  }),
  z.strictObject({
    type: z.literal('assistant_message'),
    data: eventDataSchemas.assistant_message,
    ...facts,
  }),
  z.strictObject({ type: z.literal('thinking'), data: eventDataSchemas.thinking, ...facts }),
  z.strictObject({
    type: z.literal('code_intention'),
    data: eventDataSchemas.code_intention,
    ...facts,
  }),
  z.strictObject({ type: z.literal('file_edit'), data: eventDataSchemas.file_edit, ...facts }),
  z.strictObject({ type: z.literal('tool_use'), data: eventDataSchemas.tool_use, ...facts }),
]);
