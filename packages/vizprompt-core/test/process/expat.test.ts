import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeNodeXml } from '../../src/node/node-xml.ts';
import { anyNode } from '../support/random-nodes.ts';

const hasPython = ((): boolean => {
  try {
    execFileSync('python3', ['-c', 'import xml.parsers.expat'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.runIf(hasPython)('expat', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'vizprompt-xml-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('reads every file that is written', () => {
    const nodes = fc.sample(anyNode, 100);
    for (const [index, node] of nodes.entries()) {
      writeFileSync(join(folder, `${index}.xml`), writeNodeXml(node));
    }
    const script =
      'import sys,glob,xml.etree.ElementTree as e\n' +
      'print(sum(e.parse(f).getroot().tag == "node" for f in glob.glob(sys.argv[1] + "/*.xml")))';
    const read = execFileSync('python3', ['-c', script, folder], { encoding: 'utf8' });
    expect(Number(read)).toBe(100);
  });
});
