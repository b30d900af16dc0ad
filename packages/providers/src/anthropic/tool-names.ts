import { createHash } from 'node:crypto';
import type { ChatRequest } from '../models/request.ts';

/** Names of tools as the API takes them: Latin letters, digits, `_` and `-`. */
const SAFE = /^[a-zA-Z0-9_-]{1,64}$/;

/** Returns the name of a tool as the API takes it: the same for the same name, and another for another. */
export function safeToolName(name: string): string {
  if (SAFE.test(name)) return name;
  const readable = name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 48);
  return `${readable}_${digestOf(name, 12)}`;
}

/** Returns the id of a call, which another server may have made, as the API takes it. */
export function safeToolId(id: string): string {
  return /^[a-zA-Z0-9_-]+$/.test(id) ? id : `toolu_${digestOf(id, 24)}`;
}

/** Returns a function that gives a tool its name back. */
export function toolNames({
  tools = [],
}: Pick<ChatRequest, 'tools'>): (wireName: string) => string {
  const names = new Map(tools.map(({ name }) => [safeToolName(name), name]));
  return (wireName) => names.get(wireName) ?? wireName;
}

function digestOf(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
