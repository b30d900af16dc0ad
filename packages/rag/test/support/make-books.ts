import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive. */
export interface Packed {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Sets the bit that says that it is encrypted. */
  readonly isEncrypted?: boolean;
  /** The size that the directory claims, if it is false. */
  readonly claimedSize?: number;
}

/** Makes a ZIP archive, with deflate as most programs. */
export function makeZip(files: readonly Packed[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, isEncrypted = false, claimedSize } of files) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const title = Buffer.from(name);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(0x800 | Number(isEncrypted), 2);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(claimedSize ?? bytes.length, 18);
    facts.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), facts, title, packed]);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(offset, 10);
    const version = Buffer.from([20, 0]);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), version, facts, more, title]));
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}

/** A chapter of a book: its file, its XHTML, and its titles in the table of contents by their ids. */
export interface Chapter {
  readonly file: string;
  readonly body: string;
  readonly titles?: Readonly<Record<string, string>>;
}

/** The files of an EPUB 3, with a navigation document. */
export function epub3(chapters: readonly Chapter[], more: readonly Packed[] = []): Packed[] {
  const toc = chapters.flatMap(({ file, titles = {} }) =>
    Object.entries(titles).map(
      ([id, title]) => `<li><a href="${file}${id === '' ? '' : `#${id}`}">${title}</a></li>`,
    ),
  );
  const nav = page(`<nav epub:type="toc"><h1>目次</h1><ol>${toc.join('')}</ol></nav>`);
  return packageOf(
    '3.0',
    chapters,
    '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>',
    '<itemref idref="nav"/>',
    '',
    [{ name: 'OEBPS/nav.xhtml', content: nav }, ...more],
  );
}

/** The files of an EPUB 2, with an NCX. */
export function epub2(chapters: readonly Chapter[], more: readonly Packed[] = []): Packed[] {
  const points = chapters.flatMap(({ file, titles = {} }) =>
    Object.entries(titles).map(
      ([id, title]) =>
        `<navPoint><navLabel><text>${title}</text></navLabel><content src="${file}${id === '' ? '' : `#${id}`}"/></navPoint>`,
    ),
  );
  const ncx = `<?xml version="1.0"?><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><docTitle><text>本</text></docTitle><navMap>${points.join('')}</navMap></ncx>`;
  return packageOf(
    '2.0',
    chapters,
    '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
    '',
    ' toc="ncx"',
    [{ name: 'OEBPS/toc.ncx', content: ncx }, ...more],
  );
}

function packageOf(
  version: string,
  chapters: readonly Chapter[],
  items: string,
  first: string,
  spine: string,
  more: readonly Packed[],
): Packed[] {
  const manifest = chapters.map(
    ({ file }, at) => `<item id="c${at}" href="${file}" media-type="application/xhtml+xml"/>`,
  );
  const refs = chapters.map((_, at) => `<itemref idref="c${at}"/>`);
  return [
    { name: 'mimetype', content: 'application/epub+zip' },
    {
      name: 'META-INF/container.xml',
      content:
        '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    },
    {
      name: 'OEBPS/package.opf',
      content: `<?xml version="1.0" encoding="UTF-8"?><package version="${version}" xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest>${items}${manifest.join('')}</manifest><spine${spine}>${first}${refs.join('')}</spine></package>`,
    },
    ...chapters.map(({ file, body }) => {
      return { name: `OEBPS/${decodeURIComponent(file)}`, content: page(body) };
    }),
    ...more,
  ];
}

function page(body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>題</title><style>p { margin: 0 }</style></head>\n<body>\n${body}\n</body></html>`;
}

/** The files of a document of Word. */
export function docx(body: string, more: readonly Packed[] = []): Packed[] {
  const style = (id: string, name: string, rest = ''): string =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${rest}</w:style>`;
  return [
    {
      name: '[Content_Types].xml',
      content:
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    },
    {
      name: '_rels/.rels',
      content:
        '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    },
    {
      name: 'word/styles.xml',
      content: `<?xml version="1.0"?><w:styles xmlns:w="w">${style('a', 'Normal')}${style('1', 'heading 1')}${style('見出し2', '見出し 2')}${style('mine', 'わたしの見出し', '<w:basedOn w:val="1"/>')}${style('level', '章', '<w:pPr><w:outlineLvl w:val="2"/></w:pPr>')}</w:styles>`,
    },
    {
      name: 'word/document.xml',
      content: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document xmlns:w="w" xmlns:mc="mc"><w:body>${body}<w:sectPr/></w:body></w:document>`,
    },
    ...more,
  ];
}

/** A paragraph of a document of Word. */
export function paragraph(text: string, style?: string): string {
  const properties = style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}
