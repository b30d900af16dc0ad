import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { foreignAddress, type TrustRequest } from '@vizprompt/providers/trust';
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
 * @throws VizPromptError with the code `config-invalid`; the error of the system if there is no such file.
 */
export async function readProjectTrust(folder: string): Promise<ProjectTrust> {
  const config = await parseConfig(await readFile(join(folder, CONFIG_FILE), 'utf8'));
  const server = configuredServer(config);
  const address = server && foreignAddress(server);
  return { ...configTrust(config, folder), place: folder, address };
}
