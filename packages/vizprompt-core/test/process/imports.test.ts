import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadedFiles, loadedPackages } from '../../../providers/test/support/loaded-packages.ts';
import { temporaryFolder } from '../support/open-project.ts';

const WRITES = pathToFileURL(join(import.meta.dirname, '../children/open-and-write.mjs')).href;

/** Parts of the package that only some calls need, as their chunks are called. */
const LATE =
  /\/(?:import-conversations|export-flow|upkeep|summaries|context-and-answer|undo|parse-node-xml|flow-document|parse-yaml|settle-config)-\w+\.js$|\/transcripts\//;

describe('what is loaded', () => {
  it('by the root: no package that only some calls need', () => {
    expect(loadedPackages('@vizprompt/core', import.meta.dirname)).toEqual(
      new Set(['vizprompt-core', 'providers', 'eventemitter3']),
    );
  });

  it('by the root: no reader of exports or logs, no writer of pages, no check', () => {
    const files = loadedFiles('@vizprompt/core', import.meta.dirname);
    expect(files.filter((file) => LATE.test(file))).toEqual([]);
  });

  it('by a new project and its first node: no parser of YAML or XML, no schema', async () => {
    const folder = await temporaryFolder();
    for (const _ of ['new', 'opened again']) {
      const program = `${WRITES}?${encodeURIComponent(join(folder, 'project'))}`;
      const files = loadedFiles(program, import.meta.dirname);
      expect(files).toContain(program);
      expect(files.filter((file) => LATE.test(file))).toEqual([]);
      const parsers = ['yaml', 'fast-xml-parser', 'zod'];
      expect(parsers.filter((name) => files.some((file) => file.includes(`/${name}/`)))).toEqual(
        [],
      );
    }
  });
});
