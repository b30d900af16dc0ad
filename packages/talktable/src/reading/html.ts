import {
  escapeHtml,
  VISIBLE_HTML_STYLE,
  visibleHtml,
  visibleText,
} from '@vizprompt/providers/internal';
import { type Conversation, type TalkTurn } from '../log/conversation.ts';
import { languageOfTopic } from '../words.ts';
import { describeSpeakers, notesOf } from './describe.ts';
import { isSpoken } from '../plan/moderator.ts';

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
