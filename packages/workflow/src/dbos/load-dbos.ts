import type * as Dbos from '@dbos-inc/dbos-sdk';
import { importPeer } from '@vizprompt/providers';

/** The package of DBOS Transact. */
export type DbosModule = typeof Dbos;

/** What is asked of DBOS about its workflows: `DBOS` of a worker and `DBOSClient` both can do it. */
export type DbosApi = Pick<
  DbosModule['DBOS'],
  'listWorkflows' | 'listWorkflowSteps' | 'deleteWorkflows'
> & {
  cancelWorkflows(ids: string[]): Promise<void>;
  resumeWorkflows(ids: string[], options: { queueName: string }): Promise<unknown>;
};

/**
 * Loads DBOS when it is first needed.
 *
 * @throws PeerError if it is not installed.
 */
export function loadDbos(): Promise<DbosModule> {
  return importPeer('@dbos-inc/dbos-sdk', () => import('@dbos-inc/dbos-sdk'));
}
