/**
 * Returns texts that a YAML file may have been meant to be, the likeliest first: with spaces for tabs, with a space
 * after the colon of a key, with ASCII for the wide colons, dashes and spaces of Japanese keyboards.
 */
export function mendedYamlTexts(text: string): readonly string[] {
  const plain = text.replaceAll('\0', '').replaceAll(/\r\n?/g, '\n');
  const narrow = plain.replaceAll(
    /^([ \t\u00a0\u3000]*)(?:([-－ー])([ \t\u00a0\u3000]*))?([a-z_][a-z_]*)[ \t\u3000]*[:：][ \u3000]*/gm,
    (_, indent: string, dash: string | undefined, gap: string | undefined, key: string) =>
      `${wide(indent)}${dash === undefined ? '' : '-'}${wide(gap ?? '')}${key}: `,
  );
  const tabs = [2, 4, 8].map((size) =>
    narrow.replaceAll(/^[ \t]*(?:-[ \t]*)?/gm, (start) => start.replaceAll('\t', ' '.repeat(size))),
  );
  return [...new Set([...tabs, ...tabs.map(aligned)])]
    .map((each) => each.replaceAll(/(?<! )  *$/gm, ''))
    .filter((each) => each !== text);
}

function wide(text: string): string {
  return text.replaceAll('\u3000', '  ');
}

/** With the indentation that files of flows have, whatever it was: each key belongs to the entry before it. */
function aligned(text: string): string {
  let isEntry = false;
  return text
    .split('\n')
    .map((line) => {
      const plain = line.trim();
      if (plain.startsWith('- ')) {
        isEntry = true;
        return `  - ${plain.slice(2).trimStart()}`;
      }
      if (/^(?:nodes|connections):/.test(plain)) isEntry = false;
      return isEntry && /^(?:index|id|from|to|from_id|to_id|branch):/.test(plain)
        ? `    ${plain}`
        : line;
    })
    .join('\n');
}
