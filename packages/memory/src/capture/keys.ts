import { textHash } from '@vizprompt/providers/transcripts/internal';
import { idFromNames } from '../model/ids-and-times.ts';

/** The keys of what a call of a tool becomes. `file` counts the files of a patch. */
export const callKey = {
  /** The call and its result. */
  use: (call: string): string => `${call}#use`,
  /** A call that never returned. */
  open: (call: string): string => `${call}#call`,
  intention: (call: string, file = 0): string => `${call}#intention${file === 0 ? '' : `:${file}`}`,
  /** The new place of a file that a change moves. */
  moved: (call: string, file = 0): string => `${call}#moved:${file}`,
  edit: (call: string, file = 0): string => `${call}#edit${file === 0 ? '' : `:${file}`}`,
};

/** Returns the key of the `index`th time (from 0) that a prompt was given in a session. */
export function promptKey(session: string, hash: string, index: number): string {
  return `${session}#prompt:${hash}:${index}`;
}

/** Returns the key of the `index`th time (from 0) that an agent said or thought something in a session. */
export function speechKey(session: string, hash: string, index: number): string {
  return `${session}#said:${hash}:${index}`;
}

/** Returns the hash of a prompt, by which a hook and a transcript know the same one. */
export function promptHash(prompt: string): string {
  return textHash(prompt.trim());
}

/** Returns the id of the event or session with a key: always the same, so that importing again finds what is there. */
export function idOf(agent: string, kind: 'event' | 'session', key: string): string {
  return idFromNames(kind, agent, key);
}

/** Returns the id of an agent's session: its own where it is a UUID. */
export function sessionIdOf(agent: string, sourceId: string): string {
  const isUuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(sourceId);
  return isUuid ? sourceId.toLowerCase() : idOf(agent, 'session', sourceId);
}
