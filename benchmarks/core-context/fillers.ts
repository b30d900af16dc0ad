import type { Said } from './talk.ts';

const TOPICS = {
  en: 'sourdough bread,rowing machines,tax returns,orchids,the Ottoman navy,bicycle gears,sleep in summer,jazz harmony,concrete,bees in cities,Icelandic grammar,solar panels,chess openings,wool,typefaces,migration of eels,container ships,stage fright,roof gutters,Bayesian statistics,sign languages,goat cheese,night trains,coral reefs,origami,traffic lights,volcanoes,violin strings,public libraries,paper making'.split(
    ',',
  ),
  ja: 'パン作り,ボート漕ぎ,確定申告,蘭の世話,自転車の変速,夏の睡眠,ジャズの和声,コンクリート,都市の養蜂,アイスランド語,太陽光発電,囲碁の布石,羊毛,書体,鰻の回遊,コンテナ船,あがり症,雨樋,統計の考え方,手話,山羊のチーズ,夜行列車,珊瑚礁,折り紙,信号機,火山,弦楽器,公共図書館,紙漉き,野鳥の観察'.split(
    ',',
  ),
} as const;

const ASKS = {
  en: [
    'Tell me something about {t}.',
    'What do beginners get wrong with {t}?',
    'Why do people care so much for {t}?',
    'How did {t} change over the last decades?',
    'Is there a good book on {t}?',
  ],
  ja: [
    '{t}について教えてください。',
    '{t}で初心者が間違えやすい点は？',
    '{t}が好きな人が多いのはなぜ？',
    '{t}はこの数十年でどう変わりましたか。',
    '{t}のよい本はありますか。',
  ],
} as const;

const SAYS = {
  en: [
    'Most of what is written about {t} repeats a few old sources, so it pays to look at what people do rather than at what they say.',
    'The usual mistake is to begin with the equipment, when patience and a regular hour matter far more.',
    'A friend of mine, who has spent half her life with {t}, says that the first year teaches humility and the second one joy.',
    'Prices went up slowly until the turn of the century, and then fell as machines took over the dull parts.',
    'There are regional schools which disagree with each other politely, and sometimes not so politely.',
    'If you want to try {t}, start small, keep notes, and do not buy anything for a month.',
    'Researchers have measured the effect in several countries, with results that differ more than anyone expected.',
    'What makes {t} rewarding is that progress is visible: you can compare today with last spring.',
    'In winter everything takes longer, because humidity and temperature change how the materials behave.',
    'Museums show the tools, but the skill itself is passed on by watching somebody for a long time.',
    'It is worth visiting a fair, where you can ask ten people the same question and hear eleven answers.',
    'Safety is rarely discussed, although a pair of gloves and some light prevent nearly all accidents.',
  ],
  ja: [
    '{t}について書かれたものの多くは古い資料の繰り返しなので、人が実際に何をしているかを見るほうが役に立ちます。',
    'よくある間違いは道具から始めることで、根気と決まった時間のほうがずっと大切です。',
    '{t}に半生を捧げた知人は、一年目は謙虚さを、二年目は喜びを教わると言います。',
    '値段は世紀の変わり目までゆっくり上がり、退屈な作業を機械が担うようになってから下がりました。',
    '地域ごとに流派があり、互いに礼儀正しく、ときには遠慮なく言い争っています。',
    '{t}を試すなら、小さく始めて記録を付け、一か月は何も買わないことです。',
    '研究者がいくつもの国で効果を測りましたが、結果は思ったより大きく食い違いました。',
    '{t}の面白さは進歩が目に見えることで、去年の春と比べればすぐに分かります。',
    '冬は湿度と温度で材料の性質が変わるため、何をするにも時間がかかります。',
    '道具は博物館で見られますが、技そのものは長く見て覚えるしかありません。',
    '催しに出かけて十人に同じことを尋ねると、十一通りの答えが返ってきます。',
    '安全の話はあまりされませんが、手袋と明かりがあれば事故の多くは防げます。',
  ],
} as const;

/** Returns turns that no prompt of the benchmark needs, each of some 150 to 250 tokens. */
export function fillers(language: 'en' | 'ja', count: number, seed: number): readonly Said[] {
  const [topics, asks, says] = [TOPICS[language], ASKS[language], SAYS[language]];
  return Array.from({ length: count }, (_, at): Said => {
    const n = seed * 11 + at;
    const topic = topics[n % topics.length] ?? '';
    const about = (text = ''): string => text.replaceAll('{t}', topic);
    const answer = Array.from({ length: 7 + (n % 4) }, (__, k) =>
      about(says[(n * 5 + k) % says.length]),
    );
    return [about(asks[n % asks.length]), answer.join(language === 'en' ? ' ' : '')];
  });
}
