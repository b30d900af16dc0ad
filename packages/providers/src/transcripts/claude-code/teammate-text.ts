import { parseJson } from '../../json/fields.ts';
import { isJsonObject } from '../../json/json-value.ts';
import { words } from '../model/read-fields.ts';

/** The line that the program writes before messages of other agents. */
const HEADING = /^\s*Another Claude session sent a message(?: while you were working)?:\s*/;
const NAMES = 'agent-message|cross-session-message|teammate-message';
/** An opening tag. The program does not escape the values of attributes. */
const OPENING = `<(${NAMES})((?:\\s+[\\w-]+="[^"]*")*\\s*|\\s[^<>]*)>`;
/** How a text with messages begins. */
const START = new RegExp(`^\\s*(?:Another Claude session|<(?:${NAMES})[\\s>])`);
/** The opening tag of a message that may be cut: only the program writes these attributes. */
const CUT =
  /^<(?:teammate-message\s(?:[^]*\s)?teammate_id|cross-session-message\s(?:[^]*\s)?from)="/;
const CLOSING = new RegExp(`</(?:${NAMES})>`, 'g');
/** The start of a paragraph that the program writes after messages, or between them. */
const FRAME =
  /^\s*(?:Another Claude session sent a message|This came from another Claude session|That "other Claude session"|IMPORTANT: This is NOT from your user)/;

/** States that programs report to each other. Tasks and plans are none: they are what an agent says. */
const STATES: ReadonlySet<string> = words(`
  idle_notification mode_set_request permission_request permission_response plan_approval_response
  sandbox_permission_request sandbox_permission_response shutdown_approved shutdown_rejected
  shutdown_request team_permission_update teammate_terminated
`);

/**
 * Returns what other agents say in a text that the program sends in the name of the user, without the states that programs
 * report to each other; `undefined` if it is none of theirs. A text with the heading of the program is theirs whatever
 * follows; without it, words before or after the messages are those of a user who quotes them, unless they end with the tag
 * of the message before them, which quotes its own.
 */
export function teammateText(text: string): string | undefined {
  if (!START.test(text)) return undefined;
  const [heading = ''] = HEADING.exec(text) ?? [];
  const hasHeading = heading !== '';
  const told: string[] = [];
  let end = heading.length;
  let last = '';
  const opening = new RegExp(OPENING, 'g');
  for (;;) {
    opening.lastIndex = end;
    const found = opening.exec(text);
    const between = wordsBetween(text.slice(end, found?.index));
    if (found === null && end === heading.length) return undefined;
    const spoken = between.replace(CLOSING, '').trim();
    if (spoken !== '') {
      const isWhole = hasHeading || between.endsWith(`</${last}>`);
      if (!isWhole || end === heading.length) return undefined;
      told.push(spoken);
    }
    if (found === null) return told.join('\n\n');
    const [tag, name = ''] = found;
    const from = found.index + tag.length;
    const to = text.indexOf(`</${name}>`, from);
    // A message that was cut; another tag alone is a word of the user.
    if (to < 0 && !hasHeading && (!CUT.test(tag) || tag.endsWith('/>'))) return undefined;
    const said = text.slice(from, to < 0 ? undefined : to).trim();
    if (said !== '' && !isState(said)) told.push(said);
    last = name;
    end = to < 0 ? text.length : to + name.length + 3;
  }
}

/** Returns the words before, between or after messages that are not of the program. */
function wordsBetween(text: string): string {
  const paragraphs = text.split(/\n\s*\n/);
  return paragraphs
    .filter((paragraph) => !FRAME.test(paragraph.replace(CLOSING, '')))
    .join('\n\n')
    .trim();
}

function isState(said: string): boolean {
  if (!said.startsWith('{')) return false;
  const value = parseJson(said);
  return isJsonObject(value) && typeof value['type'] === 'string' && STATES.has(value['type']);
}
