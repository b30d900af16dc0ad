import type * as Checkpoints from '@langchain/langgraph-checkpoint';
import { toPeerError } from '../peer.ts';

/** The package that defines checkpoints. */
export type Library = typeof Checkpoints;

/** @throws PeerError if @langchain/langgraph-checkpoint is not installed. */
export async function loadLibrary(): Promise<Library> {
  try {
    return await import('@langchain/langgraph-checkpoint');
  } catch (error) {
    throw toPeerError(error, '@langchain/langgraph-checkpoint');
  }
}
