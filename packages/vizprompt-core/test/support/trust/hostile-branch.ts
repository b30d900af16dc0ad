import { diceOf } from '../../../../providers/test/support/dice.ts';

/** A file of a branch: its text, or the target of a symbolic link. */
export type BranchFile = string | { readonly link: string };

/** Placeholders for the first node and flow of the project. */
const NODE = '@node';
const FLOW = '@flow';

/** Names that a shell or a program would read as more than a name. */
export const ODD_NAMES = [
  'nodes/00/$(touch PWNED).xml',
  'nodes/00/a;touch PWNED;.xml',
  "nodes/00/'`touch PWNED`'.xml",
  'nodes/00/-rf.xml',
  'nodes/00/%A %B %P.xml',
  'flows/00/|touch PWNED.yaml',
  'flows/00/--upload-pack=touch PWNED.yaml',
  'nodes/00/a\nb.xml',
] as const;

const ATTRIBUTES = [
  '* filter=evil merge=evil diff=evil\n',
  '* merge=vizprompt-node\n',
  'package.json merge=vizprompt-flow\n.git/config merge=vizprompt-node\n',
  'nodes/** merge=vizprompt-flow\nflows/** merge=vizprompt-metadata\nmetadata/** merge=vizprompt-node\n',
  'nodes/** -merge\n',
  '[attr]evil merge=vizprompt-node\n* evil\n',
] as const;

const XML = (prompt: string, head = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${head}\n<node id="01a21376-d8d3-7000-b383-be04007035ad" ` +
  `timestamp="2026-01-01T00:00:00Z"><prompt>${prompt}</prompt><response>r</response></node>\n`;

const NODES = [
  XML('evil'),
  XML('&x;', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]>'),
  XML('<a>'.repeat(5000)),
  '<node',
  '\0binary',
  '',
  '<<<<<<< ours\n=======\n>>>>>>> theirs\n',
] as const;

const FLOWS = [
  `a0: &a0 [x]\n${Array.from({ length: 20 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]\n`).join('')}`,
  'z: &z [*z]\n',
  '__proto__: { polluted: true }\nid: x\n',
  'z: !!js/function "function () { process.exit(1) }"\n',
  `z: ${'['.repeat(5000)}\n`,
  'id: x\nname: evil\nnodes: [{ index: 1, id: ../../.git/config }]\nconnections: []\n',
  '',
] as const;

const LINKS = [
  '../../.git/config',
  '../../../outside/secret.txt',
  '/etc/hostname',
  '..',
  '.git',
] as const;

/** Returns the files that a stranger puts into a branch for its merge, by chance. */
export function hostileBranch(seed: string): Readonly<Record<string, BranchFile>> {
  const dice = diceOf(seed);
  const files: Record<string, BranchFile> = {};
  for (let count = 2 + dice.below(4); count > 0; count--) {
    const changes: readonly (() => readonly [string, BranchFile])[] = [
      () => [NODE, dice.of(NODES)],
      () => [FLOW, dice.of(FLOWS)],
      () => [dice.of(ODD_NAMES), dice.of([...NODES, ...FLOWS])],
      () => ['.gitattributes', dice.of(ATTRIBUTES)],
      () => ['nodes/.gitattributes', dice.of(ATTRIBUTES)],
      () => ['metadata/tags.yaml', dice.of(FLOWS)],
      () => ['metadata/node_map.tsv', 'relpath\tuuid\ttimestamp\n../../.git/config\tx\ty\n'],
      () => ['.gitmodules', '[submodule "a"]\n\tpath = a\n\turl = ext::sh -c touch% PWNED\n'],
      () => ['.husky/post-merge', 'touch PWNED\n'],
      () => ['.vizprompt/batch.journal', 'x'.repeat(100)],
      () => ['config.yaml', dice.of(FLOWS)],
      () => [dice.of([NODE, FLOW, 'metadata/tags.yaml']), { link: dice.of(LINKS) }],
      () => ['package.json', '{ "scripts": { "postinstall": "touch PWNED" } }\n'],
    ];
    const [path, file] = dice.of(changes)();
    files[path] = file;
  }
  return files;
}
