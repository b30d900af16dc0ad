import { type Flow, MAIN_FLOW, type StoredFlow } from '../flow/flow.ts';
import { formatTime } from '../format/ids-and-times.ts';
import { type FlowFiles, type LoadedFlow, toStoredFlow } from '../graph/flow-files.ts';
import type { FlowChoice } from '../graph/flow-service.ts';
import { checkFlowVersion, type FlowEditOptions } from '../graph/preconditions.ts';
import type { VizNode } from '../node/node.ts';
import type { Project } from '../project/project.ts';
import { type Committed, type ProjectChanges } from '../write/commit.ts';

/** Which flow is edited, and under which condition. Default for `flow`: `'main'`. */
export interface EditOptions extends FlowChoice, FlowEditOptions {}

/** The project and the flows that edits work on. */
export interface StructureContext {
  readonly project: Project;
  readonly flows: FlowFiles;
}

/** The changes of an edit. */
export interface EditPlan {
  /** The flow as it is to be; absent: it stays as it is. */
  readonly flow?: Flow;
  /** Another flow that changes too. */
  readonly other?: { readonly loaded: LoadedFlow; readonly flow: Flow };
  readonly newFlow?: Flow;
  readonly newNodes?: readonly VizNode[];
  readonly newKeywords?: ProjectChanges['newKeywords'];
  readonly deletedNodes?: NonNullable<ProjectChanges['deletedNodes']>;
  /** The ids of the nodes that are deleted. */
  readonly deletedIds?: readonly string[];
}

/** Edits a flow as one step: all files of the edit, and what is needed to undo it, in one batch. */
export async function editStructure(
  { project, flows }: StructureContext,
  step: string,
  { flow: name = MAIN_FLOW, ...options }: EditOptions,
  work: (loaded: LoadedFlow) => Promise<EditPlan> | EditPlan,
): Promise<Committed> {
  const { clock, config, events } = project;
  let plan: EditPlan = {};
  const committed = await project.write(async () => {
    const loaded = await flows.load(name);
    checkFlowVersion(project, toStoredFlow(loaded), options);
    plan = await work(loaded);
    const updated = formatTime(clock());
    const changed = [
      ...(plan.flow ? [{ loaded, flow: plan.flow }] : []),
      ...(plan.other ? [plan.other] : []),
    ];
    const withIds = loaded.withIds || config.settings.connectionIds;
    return flows.commit({
      step,
      ...(plan.newNodes ? { newNodes: plan.newNodes } : {}),
      ...(plan.newKeywords ? { newKeywords: plan.newKeywords } : {}),
      ...(plan.deletedNodes ? { deletedNodes: plan.deletedNodes } : {}),
      newFlows: plan.newFlow ? [{ flow: plan.newFlow, withIds }] : [],
      changedFlows: changed.map((change) => ({
        ...change.loaded,
        flow: { ...change.flow, updated },
        before: change.loaded.flow,
      })),
    });
  });
  for (const node of committed.newNodes) events.emit('node:created', { node });
  for (const id of plan.deletedIds ?? []) events.emit('node:deleted', { id });
  for (const flow of committed.newFlows) events.emit('flow:created', { flow });
  for (const flow of committed.changedFlows) events.emit('flow:updated', { flow });
  return committed;
}

/** The flow that an edit changed. */
export function changedFlow({ changedFlows: [flow] }: Committed): StoredFlow {
  if (!flow) throw new Error('edit returned no flow');
  return flow;
}

/** The flow that an edit made. */
export function createdFlow({ newFlows: [flow] }: Committed): StoredFlow {
  if (!flow) throw new Error('edit returned no new flow');
  return flow;
}
