import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { JsonObject } from '@vizprompt/providers';
import {
  isJsonObject,
  listAt,
  objectAt,
  objectOf,
  parseJson,
  textAt,
} from '@vizprompt/providers/internal';
import type { Stage } from './stage.ts';

/** Home folder in all recordings, in place of the real one. */
export const RECORDED_HOME = '/home/ann';

/** Fields in which agents store their own prompts and measurements. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'base_instructions',
  'dynamic_tools',
  'encryptedContent',
  'internal_chat_message_metadata_passthrough',
  'metadata',
  'rendered',
  'toolTelemetry',
  'transformedContent',
]);

/** Writes the transcripts of a scene without the agent's own prompts, for unit tests. */
export async function record(stage: Stage, folder: string, name: string): Promise<void> {
  const entries = await readdir(stage.home, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => /projects|sessions|chats|session-state/.test(path))
    .toSorted();
  await mkdir(folder, { recursive: true });
  for (const [at, path] of files.entries()) {
    const lines = (await readFile(path, 'utf8')).split('\n').flatMap((line) => {
      const value = parseJson(line);
      return isJsonObject(value) && !isOwn(value) ? [JSON.stringify(cut(value))] : [];
    });
    const text = lines.map((line) => `${line.replaceAll(stage.folder, RECORDED_HOME)}\n`).join('');
    const number = files.length > 1 ? `-${at + 1}` : '';
    const file = basename(path) === '' ? '' : `${name}${number}.jsonl`;
    await writeFile(join(folder, file), text);
  }
}

/** Checks whether a line belongs to the program itself: its prompts, requests, limits and totals. */
function isOwn(line: JsonObject): boolean {
  const type = textAt(line, 'type') ?? '';
  const payload = objectAt(line, 'payload');
  const kind = textAt(payload, 'type') ?? '';
  const text = JSON.stringify(payload['content'] ?? line['$set'] ?? '');
  return (
    /^(?:attachment|api-request|atis|cost-state|mode|world_state|token_usage|system\.message|session\.shutdown)/.test(
      type,
    ) ||
    /^(?:additional_tools|token_count|thread_settings_applied)$/.test(kind) ||
    (kind === 'message' && payload['role'] === 'developer') ||
    /environment_context|session_context/.test(text)
  );
}

function cut(line: JsonObject): JsonObject {
  const text = JSON.stringify(line, (name, value: unknown) =>
    OWN_FIELDS.has(name) ? undefined : value,
  );
  const value = objectOf(parseJson(text));
  return listAt(value, 'tools').length > 0 ? { ...value, tools: [] } : value;
}
