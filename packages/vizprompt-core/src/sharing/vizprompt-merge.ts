#!/usr/bin/env node
// The merge driver that git calls: vizprompt-merge (node | flow | metadata) %O %A %B %P. It leaves the result
// in %A, and ends with 0, or with 1 if that has marks of a conflict.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { programOnPath, isError } from '@vizprompt/providers/internal';
import { mergeFlowFiles } from './merge-flows.ts';
import { mergeMetadata, mergeNodeFiles } from './merge-node-files.ts';

const [kind, base = '', ours = '', theirs = '', file = ours] = process.argv.slice(2);
if ((kind !== 'node' && kind !== 'flow' && kind !== 'metadata') || theirs === '') {
  say('usage: vizprompt-merge (node | flow | metadata) BASE OURS THEIRS [PATH]');
  process.exit(129);
}
process.exitCode = merge(kind);

function merge(what: 'node' | 'flow' | 'metadata'): number {
  const common = readFileSync(base, 'utf8');
  const texts = {
    base: common.trim() === '' ? undefined : common,
    ours: readFileSync(ours, 'utf8'),
    theirs: readFileSync(theirs, 'utf8'),
  };
  try {
    if (what === 'metadata') {
      writeFileSync(ours, mergeMetadata(file, texts));
      return 0;
    }
    if (what === 'node') {
      const text = mergeNodeFiles(file, texts);
      if (text === undefined) return mergeAsText();
      writeFileSync(ours, text);
      return 0;
    }
    const merged = mergeFlowFiles(file, texts);
    writeFileSync(ours, merged.text);
    const { conflicts } = merged;
    if (conflicts.length > 0) say(`${file}: both sides changed ${conflicts.join(', ')}`);
    return conflicts.length > 0 ? 1 : 0;
  } catch (error) {
    // A file that is not a flow is text, and git knows how to merge that.
    const problem = isError(error) ? error.message : String(error);
    say(`${file}: merged as text, as a side cannot be understood: ${problem}`);
    return mergeAsText();
  }
}

function mergeAsText(): number {
  const labels = ['-L', 'ours', '-L', 'base', '-L', 'theirs'];
  const { status } = spawnSync(programOnPath('git'), [
    'merge-file',
    ...labels,
    '--',
    ours,
    base,
    theirs,
  ]);
  return status === 0 ? 0 : 1;
}

/** Git shows what its programs say. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
