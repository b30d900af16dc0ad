import { isJsonObject } from '@vizprompt/providers';
import { isOfKind, type NumberedKind } from '../project/layout.ts';
import { isProjectPlace } from '../project/places.ts';
import type { StackedStep, StepContent } from './step.ts';

/** Checks whether a value is a row of steps: a history may come with a project from elsewhere. */
export function areSteps(value: unknown): value is StackedStep[] {
  return Array.isArray(value) && value.every((step) => isStackedStep(step));
}

function isStackedStep(step: unknown): boolean {
  if (!isJsonObject(step)) return false;
  const { id, label, time, flows, bytes } = step;
  const isNamed = typeof id === 'string' && isProjectPlace(`history/${id}.json.br`);
  return isNamed && isText(label) && isText(time) && areTexts(flows) && typeof bytes === 'number';
}

/**
 * Checks whether a value is what a step did. A step names files that are written when it is taken back, so
 * those of nodes and flows are the only ones that it may name.
 */
export function isStepContent(value: unknown): value is StepContent {
  if (!isJsonObject(value)) return false;
  const { flows, nodes } = value;
  return (
    Array.isArray(flows) &&
    flows.every((step) => isFileStep('flows', step)) &&
    Array.isArray(nodes) &&
    nodes.every(
      (step) => isFileStep('nodes', step) && isText(step['id']) && areTexts(step['keywords']),
    )
  );
}

function isFileStep(kind: NumberedKind, step: unknown): step is Readonly<Record<string, unknown>> {
  if (!isJsonObject(step)) return false;
  const { file, before, after } = step;
  const isFile = isText(file) && isOfKind(kind, file) && isProjectPlace(file);
  return isFile && isTextOrNull(before) && isTextOrNull(after);
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => isText(one));
}
