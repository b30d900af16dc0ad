import { defined } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import { isUuid } from '../project/ids.ts';
import type { Project } from '../project/project.ts';
import { formatTime } from '../project/time.ts';
import { storeAttachments, type NewAttachment } from './attachments.ts';
import { checkNode } from './check-node.ts';
import type { NodePart, NodeStats, NodeStatus, VizNode } from './node.ts';

/** A node to be made. Everything but the prompt is optional. */
export interface NewNode {
  readonly prompt: string;
  /** Default: none yet. */
  readonly response?: string;
  readonly model?: string;
  readonly tags?: readonly string[];
  readonly stats?: { readonly user?: NodeStats; readonly assistant?: NodeStats };
  readonly status?: NodeStatus;
  readonly speaker?: string;
  readonly source?: string;
  readonly promptParts?: readonly NodePart[];
  readonly responseParts?: readonly NodePart[];
  /** Files that go with the prompt; they are stored in `attachments/`. */
  readonly attachments?: readonly NewAttachment[];
  /** Default: a new UUID. An id that exists makes another version of its node. */
  readonly id?: string;
  /** ISO 8601, date and time. Default: now. */
  readonly timestamp?: string;
}

/**
 * Makes a node of what is given, with an id and a time of its own where none is. The files that go with its
 * prompt are stored once the rest is known to make sense.
 *
 * @throws VizPromptError with the code `invalid-input` that names the field.
 */
export async function makeNode(project: Project, input: NewNode): Promise<VizNode> {
  project.assertWritable();
  const node = checkNode(withDefaults(project, input));
  const attached = await storeAttachments(project.files, input.attachments ?? []);
  return { ...node, promptParts: [...node.promptParts, ...attached] };
}

function withDefaults({ createId, clock }: Project, input: NewNode): VizNode {
  const { attachments: _, ...fields } = input;
  const { id = createId(), timestamp = formatTime(clock()) } = input;
  if (!isUuid(id)) throw new VizPromptError('invalid-input', `the id '${id}' is no UUID`);
  return {
    prompt: input.prompt,
    response: '',
    stats: {},
    tags: [],
    responseParts: [],
    ...defined(fields),
    id,
    timestamp,
    summary: { text: '', isOutdated: true },
    promptParts: input.promptParts ?? [],
  };
}
