import type * as Cel from '@marcbachmann/cel-js';
import type { Environment } from '@marcbachmann/cel-js';

/** A parsed expression. */
export type CelProgram = ReturnType<Environment['parse']>;

let loaded: typeof Cel | undefined;
let shared: Environment | undefined;

/** Loads CEL; conditions can be evaluated from then on. */
export async function prepareConditions(): Promise<void> {
  loaded ??= await import('@marcbachmann/cel-js');
}

/** The environment of conditions, in which variables have the types of their values. */
export function celEnvironment(): Environment {
  shared ??= newCelEnvironment(true);
  return shared;
}

/**
 * Makes an environment.
 *
 * @param isOpen - Whether variables need not be declared.
 */
export function newCelEnvironment(isOpen: boolean): Environment {
  if (!loaded) throw new Error('CEL is not loaded: call prepareConditions() first');
  const environment = new loaded.Environment({
    unlistedVariablesAreDyn: isOpen,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
  });
  for (const [sign, compute] of Object.entries(ARITHMETIC)) {
    environment.registerOperator(`double ${sign} int`, (left: number, right: bigint) =>
      compute(left, Number(right)),
    );
    environment.registerOperator(`int ${sign} double`, (left: bigint, right: number) =>
      compute(Number(left), right),
    );
  }
  environment.registerOperator('double % double', ARITHMETIC['%']);
  return environment;
}

/** CEL keeps whole numbers and others apart, and all numbers of JSON are of the other kind. */
const ARITHMETIC = {
  '+': (left: number, right: number): number => left + right,
  '-': (left: number, right: number): number => left - right,
  '*': (left: number, right: number): number => left * right,
  '/': (left: number, right: number): number => left / right,
  '%': (left: number, right: number): number => left % right,
};
