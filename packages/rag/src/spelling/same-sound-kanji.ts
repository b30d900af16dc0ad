/**
 * Kanji, and those of the same sound that words are written with instead since 1956: 附近 and 付近, 腐蝕 and 腐食.
 *
 * Source: 同音の漢字による書きかえ (report of the Council of the Japanese Language, 5 July 1956).
 */
const REWRITTEN =
  '附付智知蝕食昂高宏広弘広曠広誦唱佚逸嚮向藉謝挺丁翳影叡英穎英苑園臆憶挌格骼格饑飢吃喫馭御禦御鑿削繋係訣決蹶決涸枯' +
  '叉差扣控倖幸戟激屍死洲州銷消陞昇碍害誼義抒叙滲浸煽扇棲生尖先擅専銓選滌浄簇族疏疎褪退頽退牴抵碇停顛転杜途悖背' +
  '蕃番蜚飛諷風輔補磨摩諒了畸奇傭用淆交昏混澱殿哺保姆母脹張厖膨窟屈鄭丁潰壊曝暴撰選燻薫掠略煉練撒散訊尋蒐収聚集叛反廻回';

const modern = new Map<string, string>();
for (const [, from = '', to = ''] of REWRITTEN.matchAll(/(.)(.)/gu)) modern.set(from, to);

/** Returns kanji as they are written since then; for words that are read the same only. */
export function rewriteBySound(kanji: string): string {
  return Array.from(kanji, (each) => modern.get(each) ?? each).join('');
}
