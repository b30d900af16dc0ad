import { foldOf } from './normalize-chars.ts';

/** A question that a number answers. */
export interface NumericQuery {
  /** The first UTF-16 unit of what is counted, such as 人 of 何人; 0 if the question does not say. */
  readonly counter: number;
  /** True if it asks when something was: the number is one of a year, a month, a day or a century. */
  readonly isDate: boolean;
}

/** 何年, 何月 and 何日 ask for a date and not how many there are, 何県 and 何語 for a name. */
const COUNTERS =
  '人名個つ回本件%割倍番円種冊章巻品歳才曲枚台隻機頭匹羽軒戸階位点歩杯通項条度分秒部基字両段面次代';
const MEASURES =
  '年間|日間|時間|世(?!紀)|[かヶカヵ](?:国|所|月)|文字|言語|往復|世帯|パーセント|ドル|メートル|キロ|グラム|トン|ページ|[kcm]?m|k?g';
const COUNTED = new RegExp(`何(${MEASURES}|[${COUNTERS}])`, 'u');
const HOW_MUCH =
  /いくつ|いくら|幾つ|幾ら|どれ(?:くらい|ぐらい|ほど|だけ)|どの(?:くらい|ぐらい|程度)/u;
const WHEN = /何(?:年|月|日|世紀)|いつ(?!も|でも|まで|しか|の[間ま])/u;
/** Measured quantity at the end of the question: ～の数は？, 人口を答えよ. */
const MEASURED =
  /(?:(?<![多少複無半])数|人口|面積|割合|率|額|(?<!大)量|[高長広重深厚]さ|値段|価格|気温|温度|距離|標高)(?:を(?:答|教)え.*|[はが])?[？?。\s]*$/u;

/** Checks whether a question asks for a number, as 何人, いくつ, いつ and 人口は do; undefined if it does not. */
export function numericQuery(question: string): NumericQuery | undefined {
  const text = question.normalize('NFKC').toLowerCase();
  const counted = COUNTED.exec(text)?.[1];
  if (counted !== undefined) return { counter: counted.charCodeAt(0), isDate: false };
  if (HOW_MUCH.test(text) || MEASURED.test(text)) return { counter: 0, isDate: false };
  return WHEN.test(text) ? { counter: 0, isDate: true } : undefined;
}

const NUMERALS = new Set(
  Array.from('一二三四五六七八九十百千万億兆数', (one) => one.charCodeAt(0)),
);

/** Checks whether a piece of a text has a number: digits, or numerals before what is counted. */
export function hasNumber(
  units: Uint16Array,
  start: number,
  end: number,
  { counter, isDate }: NumericQuery,
): boolean {
  for (let at = start; at < end; at++) {
    const unit = units[at] ?? 0;
    const next = units[at + 1] ?? 0;
    if (isDate) {
      if (isOfDate(next) && (isDigit(unit) || NUMERALS.has(unit))) return true;
    } else if (isDigit(unit) || (counter !== 0 && NUMERALS.has(unit) && foldOf(next) === counter)) {
      return true;
    }
  }
  return false;
}

/** Checks whether a unit is a counter of dates: 年, 月, 日, and 世 of 世紀. */
function isOfDate(unit: number): boolean {
  return unit === 0x5e74 || unit === 0x6708 || unit === 0x65e5 || unit === 0x4e16;
}

/** Full-width ones too. */
function isDigit(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0xff10 && unit <= 0xff19);
}
