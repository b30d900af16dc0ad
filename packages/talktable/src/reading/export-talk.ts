import {
  escapeHtml,
  VISIBLE_HTML_STYLE,
  visibleHtml,
  visibleText,
} from '@vizprompt/providers/internal';
import type { Conversation, TalkTurn } from '../log/conversation.ts';
import { isSpoken } from '../plan/moderator.ts';
import { languageOfTopic } from '../words.ts';

/** Returns a talk to read: a heading for each turn, and what was said, which is Markdown of its own, as a quote. */
export function toMarkdown(conversation: Conversation, turns: readonly TalkTurn[]): string {
  const { topic, startedAt, status: ending, stopReason, damaged } = conversation;
  const facts = [
    ...describeSpeakers(conversation).map(({ name, role }) => `- ${inline(name)}: ${inline(role)}`),
    `- ${[startedAt, ending, ...(stopReason === undefined ? [] : [inline(stopReason)])].join(', ')}`,
    ...(damaged === undefined ? [] : [`- ${inline(damaged)}`]),
  ];
  const sections = turns.filter(isSpoken).map((turn) => {
    const { number, speaker, status, text } = turn;
    const state = status === 'done' ? '' : ` (${status})`;
    const notes = notesOf(turn).map((note) => `_${inline(note)}_`);
    return [
      `## ${number}. ${inline(speaker)}${state}`,
      ...notes,
      text.trim() === '' ? '' : quoted(visibleText(text)),
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  });
  return `${[`# ${inline(topic)}`, facts.join('\n'), ...sections].join('\n\n')}\n`;
}

/** Text on a line of our own is text, and nothing of Markdown. */
function inline(text: string): string {
  return visibleText(text)
    .toWellFormed()
    .replaceAll(/\s\s*/g, ' ')
    .replaceAll(/[\\`*_[\]<>#|~&!]/g, String.raw`\$&`)
    .replace(/^ ?([-+=])/, String.raw`\$1`)
    .replace(/^ ?(\d\d*)([.)])/, String.raw`$1\$2`);
}

/**
 * Returns the words of a turn as a block quote: it bounds open blocks of code, and keeps headings inside. HTML is
 * shown as text, since a tag that is left open would reach beyond the quote in a browser; so are
 * definitions of links, which hold for the whole document.
 */
function quoted(text: string): string {
  const lines = text
    .toWellFormed()
    .trimEnd()
    .split(/\r\n|\r|\n/);
  const isCode = codeLines(lines);
  return lines
    .map((line, at) => {
      if (isCode[at] === true) return line;
      // Entities, since a backslash before them may be escaped itself.
      const plain = line.replaceAll(/<(?=[a-z/!?])/gi, '&lt;');
      return mayDefine(lines, at) ? plain.replace('[', '&#91;') : plain;
    })
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** The marks of quotes and of lists, before what a line says. */
const MARKS = /(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){0,1000}[ \t]*/y;

/** Returns a line without its marks, of which it may have millions: more than one match has room for. */
function withoutMarks(line: string): string {
  let at = 0;
  for (let from = -1; at > from;) {
    from = at;
    MARKS.lastIndex = from;
    if (MARKS.test(line)) at = MARKS.lastIndex;
  }
  return line.slice(at);
}

/**
 * Checks whether a line may begin the definition of a link or a footnote. It would not be shown, and would make
 * links of what others say. Its label may continue over several lines.
 */
function mayDefine(lines: readonly string[], at: number): boolean {
  const said = withoutMarks(lines[at] ?? '');
  if (!said.startsWith('[')) return false;
  const end = lines.findIndex((line, other) => other > at && line.trim() === '');
  const paragraph = lines.slice(at, end < 0 ? undefined : end);
  return paragraph.some((line) => line.includes(']:'));
}

/**
 * Which lines are code for certain, so that they are left as they are: those between fences that begin
 * their line. Where any other fence makes that doubtful, such as one within a list, none is.
 */
function codeLines(lines: readonly string[]): readonly boolean[] {
  let fence: string | undefined;
  let isDoubtful = false;
  const isCode = lines.map((line) => {
    if (fence === undefined) {
      fence = /^(`{3}`*)[^`]*$/.exec(line)?.[1] ?? /^(~{3}~*)/.exec(line)?.[1];
      isDoubtful ||= fence === undefined && /`{3}|~{3}/.test(line);
      return false;
    }
    const mark = /^ {0,3}(`{3}`*|~{3}~*)[ \t]*$/.exec(line)?.[1];
    if (mark?.startsWith(fence) === true) {
      fence = undefined;
      return false;
    }
    isDoubtful ||= line.includes(fence.slice(0, 3));
    return true;
  });
  return isDoubtful ? [] : isCode;
}

/** Describes the speakers and their roles. */
function describeSpeakers({
  participants,
  moderator,
}: Conversation): readonly { readonly name: string; readonly role: string }[] {
  const role = (model: string | undefined, persona: string | undefined): string =>
    [model ?? 'a person', persona].filter(Boolean).join(', ');
  return [
    ...participants.map(({ name, model, persona }) => ({ name, role: role(model, persona) })),
    ...(moderator
      ? [{ name: moderator.name, role: `${role(moderator.model, moderator.persona)} (moderator)` }]
      : []),
  ];
}

/** Returns what a reader should know of a turn besides its words. */
function notesOf({ visibleTo, error, finishReason }: TalkTurn): readonly string[] {
  const isCut = finishReason === 'length' || finishReason === 'content-filter';
  return [
    ...(visibleTo ? [describeAudience(visibleTo)] : []),
    ...(error ? [error.message] : []),
    ...(isCut && !error ? [`cut off (${finishReason})`] : []),
  ];
}

/** Describes the audience of a turn. */
function describeAudience(visibleTo: readonly string[]): string {
  return visibleTo.length === 0 ? 'heard by no one' : `heard by ${visibleTo.join(', ')}`;
}

/** Colours that are distinct on white and on black. */
const COLORS = ['#2f6fd0', '#c2410c', '#15803d', '#9333ea', '#be123c', '#0e7490', '#a16207'];

/** Returns a talk as one HTML file. It loads nothing, holds no script, and works from `file://`. */
export function toHtml(conversation: Conversation, turns: readonly TalkTurn[]): string {
  const { topic, startedAt, stopReason, status, damaged } = conversation;
  const speakers = describeSpeakers(conversation);
  const names = new Map<string, number>();
  for (const { speaker } of [...speakers.map(({ name }) => ({ speaker: name })), ...turns]) {
    if (!names.has(speaker)) names.set(speaker, names.size);
  }
  const color = (name: string): string => COLORS[(names.get(name) ?? 0) % COLORS.length] ?? '';
  const list = speakers.map(
    ({ name, role }) =>
      `<li style="--speaker:${color(name)}" dir="auto"><b>${visibleHtml(name)}</b> ${visibleHtml(role)}</li>`,
  );
  const items = turns.filter(isSpoken).map((turn) => turnHtml(turn, color(turn.speaker)));
  const facts = [startedAt, status, stopReason, damaged].filter((fact) => fact !== undefined);
  return `<!doctype html>
<html lang="${languageOfTopic(topic)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(visibleText(topic))}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><h1 dir="auto">${visibleHtml(topic)}</h1>
<ul>${list.join('')}</ul>
<p>${visibleHtml(facts.join(' · '))}</p></header>
<main>
${items.join('\n')}
</main>
</body>
</html>
`;
}

function turnHtml(turn: TalkTurn, color: string): string {
  const { number, speaker, status, text, isModerator, startedAt } = turn;
  const notes = [...(status === 'done' ? [] : [status]), ...notesOf(turn)];
  const facts = [startedAt, turn.model].filter((fact) => fact !== undefined && fact !== '');
  return `<article id="t${number}" class="${isModerator ? 'moderator' : turn.kind}" style="--speaker:${color}">
<h2><a href="#t${number}">${number}</a> <bdi>${visibleHtml(speaker)}</bdi> <small>${visibleHtml(facts.join(' · '))}</small></h2>
${notes.map((note) => `<p class="note" dir="auto">${visibleHtml(note)}</p>`).join('')}<div dir="auto">${visibleHtml(text)}</div>
</article>`;
}

/** The looks of the page; light or dark as the reader's system is. */
const PAGE_STYLE: string = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881}
*{box-sizing:border-box}
body{margin:0 auto;max-width:52rem;padding:0 1rem 3rem;font:16px/1.7 system-ui,"Hiragino Sans","Noto Sans JP",sans-serif}
header{border-bottom:1px solid var(--line);padding:1rem 0}
h1{font-size:1.4rem;margin:0;overflow-wrap:anywhere}
header ul{list-style:none;margin:.6rem 0;padding:0;font-size:.9rem}
header li{border-left:.4rem solid var(--speaker);padding-left:.6rem;margin:.2rem 0}
header p,small{opacity:.7;font-size:.8rem;font-weight:400;margin:0}
article{margin:1.2rem 0;padding:.2rem 0 .2rem .9rem;border-left:.25rem solid var(--speaker)}
article.moderator{background:var(--soft)}
article.said{border-left-style:dotted}
h2{font-size:1rem;margin:0;overflow-wrap:anywhere}
h2 bdi{border-bottom:.12rem solid var(--speaker)}
h2 a{color:inherit;opacity:.6;text-decoration:none}
div{white-space:pre-wrap;overflow-wrap:anywhere}
.note{font-size:.85rem;font-style:italic;opacity:.8;margin:0}
article:target{outline:2px solid Highlight;outline-offset:.2rem}
${VISIBLE_HTML_STYLE}
@media print{article{break-inside:avoid}}
`;
