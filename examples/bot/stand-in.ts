import { textOf, type ChatModel } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';

/**
 * A model that needs no key. As the bot, it answers with the sentence of its references that is most similar to the
 * question. In any other role, it gives a fixed answer about the topic.
 */
export const standIn: ChatModel = scriptedModel(({ messages }) => {
  const told = messages
    .filter(({ role }) => role === 'system')
    .map((one) => textOf(one))
    .join('\n');
  const asked = messages
    .slice(-1)
    .map((one) => textOf(one).trim())
    .join('');
  const who = /あなたは(?:司会の)?「?(.*?)」?です/.exec(told)?.[1] ?? '';
  const isEnglish = told.includes('You are the house bot');
  if (isEnglish || who === '家のボット') {
    const before = messages.slice(0, -1).map((one) => textOf(one));
    const [unknown, noted] = isEnglish
      ? ['I do not know.', 'I will remember.']
      : ['わかりません。', '覚えておきます。'];
    return nearest(before.join('\n'), asked) ?? (/[?？]$/.test(asked) ? unknown : noted);
  }
  const about = /話題:「(.*)」/.exec(told)?.[1] ?? asked.split('\n').at(-1) ?? '';
  return `${who}の考え: 「${about}」は、もう少し調べてから決めましょう。`;
});

/** Finds the sentence most similar to the question. References have the form `[A]: text`. */
function nearest(told: string, asked: string): string | undefined {
  const [, ...references] = told.split(/^\[(?=[A-Z]+\]: )/m);
  const wanted = pairsOf(asked);
  const ranked = references
    .flatMap((reference) => {
      const [, label = '', text = ''] = /^(\w+)\]: (?:\w+: )?(.*)$/s.exec(reference) ?? [];
      const sentences = text.split(/[。\n]/).filter((sentence) => !/[?？]$/.test(sentence));
      return sentences.map((sentence) => ({ label, sentence }));
    })
    .map(({ label, sentence }) => {
      const shared = [...pairsOf(sentence)].filter((pair) => wanted.has(pair)).length;
      return { text: `${sentence.trim()}。[${label}]`, shared };
    })
    .toSorted((a, b) => b.shared - a.shared);
  return ranked[0] && ranked[0].shared > 2 ? ranked[0].text : undefined;
}

function pairsOf(text: string): Set<string> {
  return new Set(Array.from(text).map((character, at, all) => character + (all[at + 1] ?? '')));
}
