import { fromBigInt } from '../storage/sql-values.ts';

/** Object ids of PostgreSQL's types, as in its catalogue `pg_type`. */
const BOOL = 16;
const BYTEA = 17;
const INT8 = 20;
const INT2 = 21;
const INT4 = 23;
const OID = 26;
const FLOAT4 = 700;
const FLOAT8 = 701;
const NUMERIC = 1700;

const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [BOOL]: (text) => (text === 't' ? 1 : 0),
  [BYTEA]: (text) => Buffer.from(text.slice(2), 'hex'),
  [INT8]: (text) => fromBigInt(BigInt(text)),
  [INT2]: Number,
  [INT4]: Number,
  [OID]: Number,
  [FLOAT4]: Number,
  [FLOAT8]: Number,
  [NUMERIC]: (text) => (/^-?\d+$/.test(text) ? fromBigInt(BigInt(text)) : Number(text)),
};

/** Reads values as the contract wants them; what it does not know stays text. */
export const pgTypes = {
  getTypeParser(oid: number): (text: string) => unknown {
    return PARSERS[oid] ?? ((text) => text);
  },
};

/** Text, names, dollar-quoted text and comments, in which a `?` is not a placeholder; and the `?`. */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[^]*?\$\1\$|--[^\n]*|\/\*[^]*?\*\/|\?/g;

/** Turns `?` into `$1`, `$2` and so on. */
export function numberPlaceholders(sql: string): string {
  let count = 0;
  return sql.replace(TOKENS, (token) => {
    if (token !== '?') return token;
    count++;
    return `$${count}`;
  });
}
