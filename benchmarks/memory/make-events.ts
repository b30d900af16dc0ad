import type { NewEvent } from '@vizprompt/memory';

/** How many words there are; the rank of a word is how frequent it is. */
export const WORDS = 100_000;
/** Events of a session, sessions of a workspace, files of a workspace. */
export const SESSION_EVENTS = 200;
const WORKSPACE_SESSIONS = 100;
const FILES = 500;

/** Numbers that look random and are the same in every run: a linear congruential generator. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const SYLLABLES =
  'ka ke ko ta te to na ne no ma me mo ra re ro pa pe po ba bo du gu li vi zo'.split(' ');
const HAN_FIRST = 0x4e00;

/** The word of a rank, from 0: every fifth is Japanese. */
export function wordOf(rank: number): string {
  if (rank % 5 === 4) {
    const pair = String.fromCodePoint(HAN_FIRST + (rank % 997), HAN_FIRST + 1000 + (rank % 1009));
    return `${pair}の`;
  }
  let word = '';
  for (let rest = rank + 625; rest > 0; rest = Math.floor(rest / 25)) word += SYLLABLES[rest % 25];
  return word;
}

/** Sums of 1 / (rank + 10): the frequencies of words after Zipf and Mandelbrot. */
const SUMS = new Float64Array(WORDS);
for (let rank = 0, sum = 0; rank < WORDS; rank++) {
  sum += 1 / (rank + 10);
  SUMS[rank] = sum;
}

function drawWord(random: () => number): string {
  const wanted = random() * (SUMS[WORDS - 1] ?? 0);
  let low = 0;
  let high = WORDS - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((SUMS[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return wordOf(low);
}

/** How many words a session is about, and how often one of them is said. */
const TOPIC_WORDS = 60;
const TOPIC_SHARE = 0.4;

/** Says something: words between a least and about `mean` more, few times many more. */
type Speaker = (least: number, mean: number) => string;

/** Says things that belong together, as those of one session do. */
function speakerOf(random: () => number): Speaker {
  const topic = Array.from({ length: TOPIC_WORDS }, () => drawWord(random));
  return (least, mean) => {
    const words: string[] = [];
    const length = least + Math.floor(-Math.log(1 - random()) * mean);
    for (let index = 0; index < length; index++) {
      const ofTopic = random() < TOPIC_SHARE;
      words.push((ofTopic && topic[Math.floor(random() * TOPIC_WORDS)]) || drawWord(random));
    }
    return words.join(' ');
  };
}

/** The workspace of a session, by its number. */
export function workspaceOf(session: number): string {
  return `/home/ann/project-${Math.floor(session / WORKSPACE_SESSIONS)}`;
}

/** A file of a workspace. */
export function fileOf(workspace: string, random: () => number): string {
  const file = Math.floor(random() ** 2 * FILES);
  return `${workspace}/src/${wordOf(file)}/${wordOf(file + 7)}.ts`;
}

/** What happens in a session: questions, thoughts, tools, edits, answers. */
export function sessionEvents(session: number, count: number): NewEvent[] {
  const random = seededRandom(session + 1);
  const say = speakerOf(random);
  const start = Date.UTC(2026, 0, 1) + session * 3_600_000;
  return Array.from({ length: count }, (_, place): NewEvent => {
    const timestamp = new Date(start + place * 5000).toISOString();
    return { timestamp, ...eventOf(random, say, workspaceOf(session)) };
  });
}

function eventOf(random: () => number, say: Speaker, workspace: string): NewEvent {
  const kind = random();
  if (kind < 0.15) return { type: 'user_message', data: { content: say(4, 20) } };
  if (kind < 0.4) return { type: 'assistant_message', data: { content: say(5, 40) } };
  if (kind < 0.55) return { type: 'thinking', data: { content: say(5, 35) } };
  if (kind < 0.9) {
    const parameters = { command: say(2, 6) };
    const result = { stdout: say(0, 60) };
    return { type: 'tool_use', data: { tool: 'Bash', parameters, result, success: true } };
  }
  const path = fileOf(workspace, random);
  const diff = `@@ -1,1 +1,2 @@\n-${say(3, 6)}\n+${say(3, 12)}\n`;
  if (kind < 0.95) {
    const reason = say(4, 12);
    return { type: 'code_intention', data: { action: 'edit', file_path: path, reason, diff } };
  }
  return { type: 'file_edit', data: { action: 'edit', file_path: path, diff, success: true } };
}
