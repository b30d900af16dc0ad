import { join } from 'node:path';
import { messageOf } from '@vizprompt/providers';
import { readPlainFile } from '@vizprompt/providers/internal';
import { foreignAddress, type TrustRequest } from '@vizprompt/providers/trust';
import { invalidFile } from '../errors.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { CONFIG_FILE, parseConfig } from './config.ts';
import { configTrust, configuredServer } from './configured-model.ts';

/** What a project asks its user to consent to. */
export interface ProjectTrust extends TrustRequest {
  readonly place: string;
  /** The address of its model, if that is not the provider's own. */
  readonly address?: string | undefined;
}

/**
 * Reads what the `config.yaml` of a folder asks its user to consent to, without opening the project.
 *
 * @throws VizPromptError with the code `config-invalid`, also if there is no such file.
 */
export async function readProjectTrust(folder: string): Promise<ProjectTrust> {
  const config = await parseConfig(readConfig(folder));
  const server = configuredServer(config);
  const address = server && foreignAddress(server);
  return { ...configTrust(config, folder), place: folder, address };
}

function readConfig(folder: string): string {
  const place = { file: CONFIG_FILE };
  let bytes: Buffer | undefined;
  try {
    bytes = readPlainFile(join(folder, CONFIG_FILE), { maxBytes: DEFAULT_LIMITS.configBytes });
  } catch (cause) {
    throw invalidFile('config-invalid', place, messageOf(cause), cause);
  }
  if (bytes) return bytes.toString();
  throw invalidFile('config-invalid', place, `there is no such file in ${folder}`);
}
