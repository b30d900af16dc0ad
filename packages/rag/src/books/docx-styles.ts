import { readXml } from './read-xml.ts';
import type { ZipParts } from './zip-parts.ts';

/** The names of styles of headings. */
const HEADING_STYLE = /^(?:heading|見出し|标题|標題|제목)\s*([1-9１-９])$/i;
/** Headings without a number, outermost first. */
const NAMED_HEADINGS = [/^(?:title|表題|タイトル|大見出し)$/i, /^中見出し$/, /^小見出し$/];
/** Lines of a table of contents. */
const CONTENTS_STYLE = /^(?:toc|contents|目次)\s*(?:[1-9]|heading|見出し)$/i;

/** The properties that a style gives to a paragraph, or to the characters of a run. */
export interface DocumentStyle {
  /** The level of a heading; 0 for the body. */
  readonly level?: number;
  /** The numbering, and the level in it. */
  readonly numbering?: string;
  readonly numberLevel?: number;
  readonly isContents?: boolean;
  readonly isHidden?: boolean;
}

type OwnStyle = { -readonly [K in keyof DocumentStyle]: DocumentStyle[K] } & { basedOn?: string };

/** Reads the styles of a document of Word, by their ids, with what they inherit. */
export async function readStyles(
  parts: ZipParts,
  name: string,
): Promise<ReadonlyMap<string, DocumentStyle>> {
  const own = new Map<string, OwnStyle>();
  if (!parts.has(name)) return own;
  let style: OwnStyle = {};
  await readXml(parts, name, {
    open({ name: tag, attributes }) {
      const value = attributes.get('val') ?? '';
      if (tag === 'style') {
        style = {};
        own.set(attributes.get('styleId') ?? '', style);
      } else if (tag === 'basedOn') style.basedOn = value;
      else if (tag === 'outlineLvl') style.level = outlineLevel(value);
      else if (tag === 'numId') style.numbering = value;
      else if (tag === 'ilvl') style.numberLevel = Number(value);
      else if (tag === 'vanish') style.isHidden = isOn(value);
      else if (tag === 'name') {
        const level = namedLevel(value);
        if (level !== undefined) style.level ??= level;
        if (CONTENTS_STYLE.test(value)) style.isContents = true;
      }
    },
  });
  return new Map([...own.keys()].map((id) => [id, inherited(own, id)]));
}

/** Returns the level of a heading: levels count from 0 in files, and 9 is the body. */
export function outlineLevel(value: string): number {
  const level = Number(value);
  return Number.isInteger(level) && level >= 0 && level < 9 ? level + 1 : 0;
}

/** Checks whether a switch of a document is on. */
export function isOn(value: string): boolean {
  return !/^(?:0|false|off)$/.test(value);
}

function namedLevel(name: string): number | undefined {
  const number = HEADING_STYLE.exec(name)?.[1]?.normalize('NFKC');
  if (number !== undefined) return Number(number);
  const at = NAMED_HEADINGS.findIndex((pattern) => pattern.test(name));
  return at < 0 ? undefined : at + 1;
}

function inherited(own: ReadonlyMap<string, OwnStyle>, id: string): DocumentStyle {
  const seen = new Set<string>();
  let result: OwnStyle = {};
  let at: string | undefined = id;
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    const style: OwnStyle | undefined = own.get(at);
    result = { ...style, ...result };
    at = style?.basedOn;
  }
  return result;
}
