import { listAt, objectAt, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { words } from '../model/read-fields.ts';

/** Items that versions before September 2025 wrote as lines of their own. */
const ITEMS: ReadonlySet<string> = words(`
  custom_tool_call custom_tool_call_output function_call function_call_output local_shell_call
  message reasoning web_search_call
`);

/** Returns a line of any version in the form of today's; a session that is a single object, line by line. */
export function rolloutLines(line: JsonObject): readonly JsonObject[] {
  if (isJsonObject(line['payload'])) return [line];
  if (isOldSession(line)) {
    const items = listAt(line, 'items').filter(isJsonObject);
    return [objectAt(line, 'session'), ...items].flatMap(rolloutLines);
  }
  if (isOldHead(line)) return [{ type: 'session_meta', payload: line }];
  return ITEMS.has(textAt(line, 'type') ?? '')
    ? [{ type: 'response_item', payload: line }]
    : [line];
}

/** Checks for a session of the first version, which was written in TypeScript. */
export function isOldSession(line: JsonObject): boolean {
  return Array.isArray(line['items']) && isOldHead(objectAt(line, 'session'));
}

/** Checks for the head of a session before lines had a type. */
export function isOldHead(line: JsonObject): boolean {
  return 'id' in line && 'timestamp' in line && 'instructions' in line && !('type' in line);
}
