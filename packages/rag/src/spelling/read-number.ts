/** A number at an offset of a text, in whatever way it is written. */
export interface WrittenNumber {
  /** In digits, without signs between thousands: `17`, `1.5`, `35000000`. */
  readonly value: string;
  readonly length: number;
}

const DIGITS = new Map(
  ['〇零0', '一壱壹1', '二弐貳2', '三参參3', '四4', '五伍5', '六6', '七7', '八8', '九9'].flatMap(
    (same, value) => Array.from(same, (digit) => [digit, String(value)] as const),
  ),
);
/** Powers of ten of the units in a group of four digits, and of the groups. */
const UNITS = new Map(
  ['十', '拾', '百', '千'].map((unit) => [unit, unit === '千' ? 3 : unit === '百' ? 2 : 1]),
);
const TENS = new Map([
  ['廿', '二'],
  ['卅', '三'],
]);
const GROUPS = new Map([
  ['万', 4],
  ['萬', 4],
  ['億', 8],
  ['兆', 12],
  ['京', 16],
]);
const POINT = /^(?:[.・．](?=[0-9〇零一二三四五六七八九])|点(?=[〇零一二三四五六七八九]))/u;
const THOUSANDS = /^[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])/;
/** More groups and digits than any number has that is written. */
const LONGEST = 40;

/** Two digits of which the second is one more, that say "the first or the second": 二三 of 二三人 and 七八 of 十七八. */
const PAIR =
  /^(?<head>[十拾百千万億兆]{0,5})(?<digits>一二|二三|三四|四五|五六|六七|七八|八九)(?<tail>[十百千]?[万億兆]?)(?![〇零一二三四五六七八九十百千万億兆.・])/u;
/** The same with a sign between them, and a unit that counts for both: 五、六十. */
const APART =
  /^(?<first>[一二三四五六七八])[、,](?<second>[二三四五六七八九])(?<tail>[十百千][万億兆]?|[万億兆])/u;

/** A number that is said as one of two. */
export interface ApproximateNumber {
  readonly values: readonly [string, string];
  /** The length of both; that of the first alone where a sign is between them. */
  readonly length: number;
  /** True if nothing but the two digits is written, which may be a number by place. */
  readonly isPlain: boolean;
}

/** Reads "one or the other" at the beginning of a text: 20 and 30 for 二三十. Undefined if there is none. */
export function readApproximateNumber(text: string): ApproximateNumber | undefined {
  const pair = PAIR.exec(text)?.groups;
  if (pair) {
    const { head = '', digits = '', tail = '' } = pair;
    const [first = '', second = ''] = Array.from(
      digits,
      (digit) => readNumber(head + digit + tail)?.value,
    );
    const length = head.length + digits.length + tail.length;
    return { values: [first, second], length, isPlain: head === '' && tail === '' };
  }
  const { first = '', second = '', tail = '' } = APART.exec(text)?.groups ?? {};
  if (first === '' || Number(valueOf(second)) !== Number(valueOf(first)) + 1) return undefined;
  const [low = '', high = ''] = [first, second].map((digit) => readNumber(digit + tail)?.value);
  return { values: [low, high], length: 1, isPlain: false };
}

/** Checks whether a unit may be part of a number. */
export function isNumeral(unit: string): boolean {
  return DIGITS.has(unit) || UNITS.has(unit) || GROUPS.has(unit) || TENS.has(unit);
}

/**
 * Reads the number at the beginning of a text in normal form: digits, kanji by place (`二〇二五`) or with units
 * (`二千二十五`), both mixed (`3億5千万`), with a fraction (`三・五`, `1.5万`). Undefined if there is none.
 */
export function readNumber(text: string): WrittenNumber | undefined {
  let at = 0;
  let total = 0n;
  let last = Infinity;
  let fraction: string | undefined;
  let plain: string | undefined;
  for (;;) {
    const group = readGroup(text.slice(at, at + LONGEST), at === 0 || last < Infinity);
    if (!group) break;
    const power = GROUPS.get(text[at + group.length] ?? '');
    if (power === undefined || power >= last) {
      if (at > 0 && (group.fraction !== '' || group.digits.length > last)) break;
      if (at === 0) plain = group.isPlain ? group.digits : undefined;
      total += BigInt(group.digits);
      fraction = group.fraction;
      at += group.length;
      break;
    }
    total += scaled(group, power);
    at += group.length + 1;
    last = power;
    if (group.fraction !== '') break;
  }
  if (at === 0) return undefined;
  const whole = plain ?? String(total);
  return { value: fraction ? `${whole}.${fraction}` : whole, length: at };
}

interface Group {
  readonly digits: string;
  readonly fraction: string;
  readonly length: number;
  /** True if it is written by place, so that zeros in front count. */
  readonly isPlain: boolean;
}

function readGroup(text: string, mayBeFraction: boolean): Group | undefined {
  const [thousands] = THOUSANDS.exec(text) ?? [];
  if (thousands !== undefined) {
    const { fraction, length } = readFraction(text.slice(thousands.length));
    const digits = thousands.replaceAll(',', '');
    return { digits, fraction, length: thousands.length + length, isPlain: true };
  }
  const at = readDigits(text);
  const digits = valueOf(text.slice(0, at));
  if (!TENS.has(text[at] ?? '') && !UNITS.has(text[at] ?? '')) {
    if (at === 0) return undefined;
    const { fraction, length } = mayBeFraction ? readFraction(text.slice(at)) : NO_FRACTION;
    return { digits, fraction, length: at + length, isPlain: true };
  }
  // With units: each lower than the one before it, and at most one digit before it.
  let sum = 0;
  let last = 4;
  let end = 0;
  for (let place = 0; ;) {
    const length = readDigits(text.slice(place));
    const tens = TENS.get(text[place + length] ?? '');
    const power = tens === undefined ? UNITS.get(text[place + length] ?? '') : 1;
    if (power === undefined || power >= last) {
      // 十七八 is seventeen or eighteen: the first counts.
      const taken = end === 0 ? 0 : Math.min(length, last);
      sum += Number(valueOf(text.slice(place, place + taken)));
      end += taken;
      break;
    }
    if (length > 1 && end > 0) break;
    const factor =
      tens === undefined ? valueOf(text.slice(place, place + length)) || '1' : valueOf(tens);
    sum += Number(factor) * 10 ** power;
    place = end = place + length + 1;
    last = power;
  }
  if (end === 0) return undefined;
  const { fraction, length } = readFraction(text.slice(end));
  return { digits: String(sum), fraction, length: end + length, isPlain: false };
}

const NO_FRACTION = { fraction: '', length: 0 };

function readFraction(text: string): { readonly fraction: string; readonly length: number } {
  if (!POINT.test(text)) return NO_FRACTION;
  const length = 1 + readDigits(text.slice(1));
  return { fraction: valueOf(text.slice(1, length)), length };
}

function readDigits(text: string): number {
  let at = 0;
  while (DIGITS.has(text[at] ?? '')) at++;
  return at;
}

function valueOf(digits: string): string {
  return Array.from(digits, (digit) => DIGITS.get(digit) ?? '').join('');
}

function scaled({ digits, fraction }: Group, power: number): bigint {
  const shift = fraction.slice(0, power).padEnd(power, '0');
  return BigInt(digits) * 10n ** BigInt(power) + BigInt(shift === '' ? '0' : shift);
}
