import type { EventSource } from '@vizprompt/providers';
import type { RagEvents } from '../events.ts';

/** Whether a backend tells what happens in it. */
export function hasEvents(backend: object): backend is { readonly events: EventSource<RagEvents> } {
  if (!('events' in backend) || typeof backend.events !== 'object') return false;
  return backend.events !== null && 'on' in backend.events;
}
