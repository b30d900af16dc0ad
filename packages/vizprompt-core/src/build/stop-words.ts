/** Words that say nothing about a text: function words, and talk about talking. */
export const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below
  between both but by can cannot could did do does doing don done down during each else even every
  few for from further get gets getting give given gives go goes going good got had has have having
  he her here hers him his how however i if in into is it its itself just keep know let lets like
  look looks made make makes making many may maybe me might more most much must my need needs new no
  nor not now of off often ok okay on once one only or other our out over own please put rather really
  right same say says see seems shall she should so some something sometimes still such sure take than
  thank thanks that the their them then there these they thing things think this those though three
  through to too try two under until up us use used useful uses using usually very want wants was way
  we well were what when where whether which while who whole why will with within without would yes
  yet you your yours example following question answer help hello first second suggest write nice great
  short explain show tell find work works lot little bit actually absolutely already always basically
  certainly clearly completely currently definitely directly easily especially exactly finally fully
  generally highly however immediately instead likely mainly mostly nearly never often particularly
  possibly primarily probably properly quickly quite recently significantly simply slightly
  specifically truly typically various loaded based called done including related several already
  different another around away back better best big`.split(/\s+/),
);

/** Runs of kanji or katakana that say as little in Japanese. */
export const JAPANESE_STOP_WORDS: ReadonlySet<string> = new Set(
  `今日 昨日 明日 今回 前回 次回 最初 最後 以下 以上 上記 下記 場合 必要 可能 方法 自分 全部 一部 部分
  質問 回答 説明 具体的 基本的 一般的 例えば 詳細 内容 確認 注意 大丈夫 本当 時間 時点 現在 最近 結果
  理由 意味 問題 一番 一度 一緒 以外 以降 以前 同様 同時 通常 通り 皆様 何故 何度 私達 貴方 使用 利用
  コト モノ タメ ヨウ ソレ コレ アレ ドレ`.split(/\s+/),
);
