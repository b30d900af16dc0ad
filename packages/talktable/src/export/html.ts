import { escapeHtml, visibleHtml, visibleText } from '@vizprompt/providers';
import { languageOfTopic } from '../topic-language.ts';
import type { Conversation } from '../log/conversation.ts';
import { isSpoken, type TalkTurn } from '../talk-turn.ts';
import { describeSpeakers, notesOf } from './describe.ts';
import { PAGE_STYLE } from './html-style.ts';

/** Colours that can be told apart on white and on black. */
const COLORS = ['#2f6fd0', '#c2410c', '#15803d', '#9333ea', '#be123c', '#0e7490', '#a16207'];

/** A talk as one HTML file. It loads nothing, holds no script, and works from `file://`. */
export function toHtml(conversation: Conversation, turns: readonly TalkTurn[]): string {
  const { topic, startedAt, stopReason, status } = conversation;
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
  const facts = [startedAt, status, stopReason].filter((fact) => fact !== undefined);
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
