import type { EventType } from '@vizprompt/memory';

/** All types of events, here so that the memory need not be loaded to name them. */
export const EVENT_TYPES: readonly EventType[] = [
  'user_message',
  'assistant_message',
  'thinking',
  'code_intention',
  'file_edit',
  'tool_use',
];
