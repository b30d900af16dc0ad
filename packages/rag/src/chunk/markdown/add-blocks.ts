import type { Nodes } from 'mdast';
import { Border } from '../border.ts';
import { addProse, PLAIN_PROSE, type ProseBorders } from '../prose.ts';
import type { UnitList } from '../unit-list.ts';

const PROSE: ProseBorders = { ...PLAIN_PROSE, blanks: Border.block };
const INNER_PROSE: ProseBorders = {
  line: Border.inner,
  blank: Border.inner,
  blanks: Border.inner,
  scenes: false,
};

/** Adds a block of a section, with the blank lines before it. */
export function addBlock(list: UnitList, block: Nodes): void {
  addProse(list, startOf(list, block), PROSE);
  switch (block.type) {
    case 'list':
    case 'blockquote':
      addChildren(list, block.children, Border.line);
      break;
    case 'code':
    case 'table':
      addWhole(list, endOf(list, block));
      break;
    case 'thematicBreak':
      list.set(Border.glue);
      list.add(endOf(list, block), Border.scene);
      break;
    default:
      addProse(list, endOf(list, block), PROSE);
  }
  list.raise(Border.block);
}

/** The offset where the line of a block starts. */
export function startOf({ source }: UnitList, { position }: Nodes): number {
  return source.startOf(position?.start.line ?? 1);
}

/** The offset where the line after a block starts. */
export function endOf({ source }: UnitList, { position }: Nodes): number {
  return source.startOf((position?.end.line ?? source.lines) + 1);
}

/** Blocks inside blocks: the ends of an outer list's items are better places than those inside. */
function addChildren(list: UnitList, blocks: readonly Nodes[], border: Border): void {
  for (const block of blocks) {
    // Items that equal their neighbours are no nodes, see the skeleton.
    const isItem = block.type === 'listItem';
    const between = isItem ? { ...INNER_PROSE, line: border, blank: border } : INNER_PROSE;
    addProse(list, startOf(list, block), between);
    if (block.type === 'list' || block.type === 'blockquote' || block.type === 'listItem') {
      addChildren(list, block.children, Border.inner);
    } else if (block.type === 'code' || block.type === 'table') addWhole(list, endOf(list, block));
    // Containers may hold lines of their own: the empty item of a list.
    addProse(list, endOf(list, block), INNER_PROSE);
    list.raise(border);
  }
}

function addWhole(list: UnitList, to: number): void {
  if (to <= list.end || list.addWhole(to, Border.inner)) return;
  const { source } = list;
  for (let line = source.lineOf(list.end); list.end < to; line += 1) {
    list.add(source.startOf(line + 1), Border.inner);
  }
}
