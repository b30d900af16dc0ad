import { problemOf } from '../errors.ts';
import { CONFIG_FILE, parseConfig } from '../project/config.ts';
import type { Project } from '../project/project.ts';
import type { Found } from './finding.ts';
import { PROPOSALS } from './proposals.ts';

/** Looks at the settings, which are read when a project is opened: the next time, it could not be. */
export async function checkConfig({ files }: Project): Promise<Found[]> {
  const repair = PROPOSALS.settings;
  try {
    const stored = await files.read(CONFIG_FILE);
    if (stored) await parseConfig(stored.text);
    return [];
  } catch (error) {
    return [{ ...problemOf(CONFIG_FILE, error), code: 'ill-formed', repair }];
  }
}
