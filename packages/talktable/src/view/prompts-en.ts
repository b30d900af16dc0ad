import type { Prompts } from './prompts.ts';

/** The sentences in English, also for talks in languages that have none of their own. */
export const PROMPTS_EN: Prompts = {
  scene({ name, persona, topic, others, moderator, isModerator, language }) {
    const role = isModerator
      ? `You are ${name}, the moderator. The participants are ${others.join(', ')}.`
      : `You are ${name}. With you are ${others.join(', ')}${moderator ? `, and the moderator ${moderator}` : ''}.`;
    return [
      role,
      persona,
      `The topic: "${topic}"`,
      ...(language === undefined ? [] : [`Speak in this language: ${language}.`]),
      'Say only what you yourself say: do not begin with a name, and do not write the lines of others.',
    ]
      .filter((line) => line !== '')
      .join('\n');
  },
  topic: (topic) => `The topic is "${topic}".`,
  knowledge: (passages) => `For reference (use what helps):\n${passages.join('\n\n')}`,
  opening: 'Introduce topic and participants in a few words, and open the talk.',
  summary: (round) =>
    `Sum up the talk so far (up to round ${round}): keep the points of earlier summaries, and say in a few words what is agreed, what is disputed, and what to speak about next.`,
  closing: 'Close the talk: say in a few words what came out, and which questions remain.',
  turn: (name) => `${name}, please go on.`,
  again: (name) => `${name}, your answer was empty. Please speak.`,
  choice: (candidates) =>
    `Choose who speaks next. Answer with JSON of the form {"next": "NAME"} and nothing else. One of: ${candidates.join(', ')}`,
  verdict:
    'Has the talk come to a conclusion, or does nothing new come up? Answer with JSON of the form {"finished": true or false, "reason": "WHY"} and nothing else.',
  cut: '... (cut) ...',
};
