import { objectAt, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { isOldHead, isOldSession } from '../codex/rollout-lines.ts';
import { isOldSession as isOldCopilot } from '../copilot/old-session.ts';
import type { TranscriptAgent } from '../model/entry.ts';
import { words } from '../model/read-fields.ts';

/** Returns the agent that wrote a line, as parsed; `undefined` if the line does not show it. */
export function detectAgent(value: JsonValue): TranscriptAgent | undefined {
  if (!isJsonObject(value)) return undefined;
  if (isCodex(value)) return 'codex';
  if (isCopilot(value)) return 'copilot';
  if (isGemini(value)) return 'gemini';
  if (isOpencode(value)) return 'opencode';
  if (isClaudeCode(value)) return 'claude-code';
  return value['type'] === 'session' && typeof value['id'] === 'string' ? 'pi' : undefined;
}

const CODEX = words('session_meta response_item event_msg turn_context compacted');

function isCodex(line: JsonObject): boolean {
  if (isOldHead(line) || isOldSession(line)) return true;
  return isJsonObject(line['payload']) && CODEX.has(textAt(line, 'type') ?? '');
}

function isCopilot(line: JsonObject): boolean {
  if (isOldCopilot(line)) return true;
  return (
    isJsonObject(line['data']) &&
    'id' in line &&
    /^[a-z]+\.[a-z_.]+$/.test(textAt(line, 'type') ?? '')
  );
}

function isGemini(line: JsonObject): boolean {
  // Other programs call their conversation a session, too: their messages have roles.
  const messages = line['messages'];
  if (Array.isArray(messages) && messages.some((each) => isJsonObject(each) && 'role' in each))
    return false;
  if ('projectHash' in line || '$set' in line || '$rewindTo' in line) return true;
  if (messages !== undefined && 'sessionId' in line) return true;
  const type = textAt(line, 'type');
  return 'id' in line && 'content' in line && (type === 'user' || type === 'gemini');
}

/** A session with its messages, or a message with its parts. */
function isOpencode(line: JsonObject): boolean {
  const info = objectAt(line, 'info');
  if (Array.isArray(line['parts']) && textAt(info, 'sessionID') !== undefined) return true;
  const id = textAt(info, 'id');
  // Versions before 0.7 do not name the folder.
  if (id?.startsWith('ses_') === true && Array.isArray(line['messages'])) return true;
  const folder = textAt(info, 'directory') ?? textAt(objectAt(info, 'location'), 'directory');
  return id !== undefined && folder !== undefined;
}

const CLAUDE_CODE = words('summary file-history-snapshot queue-operation custom-title');

function isClaudeCode(line: JsonObject): boolean {
  if (isStreamed(line)) return true;
  if ('sessionId' in line && ('uuid' in line || 'parentUuid' in line)) return true;
  return CLAUDE_CODE.has(textAt(line, 'type') ?? '');
}

/** Checks for a message of a stream of the SDK that has the ids and times of the log; those of other programs have neither. */
function isStreamed(line: JsonObject): boolean {
  const facts = [line['session_id'], line['uuid'], line['timestamp']];
  const isMessage = isJsonObject(line['message']) && 'parent_tool_use_id' in line;
  return isMessage && facts.every((fact) => typeof fact === 'string');
}
