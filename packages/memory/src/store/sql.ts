import type { SqlParameter } from '@vizprompt/providers';
import { placeholders } from '@vizprompt/providers/internal';

/** A condition with its parameters. */
export interface SqlCondition {
  readonly sql: string;
  readonly params: readonly SqlParameter[];
}

/** Conditions that must all hold. */
export class SqlConditions implements SqlCondition {
  readonly #conditions: string[] = [];
  readonly params: SqlParameter[] = [];

  get sql(): string {
    return this.#conditions.join(' AND ');
  }

  get isEmpty(): boolean {
    return this.#conditions.length === 0;
  }

  add(condition: string, ...params: readonly SqlParameter[]): this {
    this.#conditions.push(condition);
    this.params.push(...params);
    return this;
  }

  /** Adds that a column has one of some values. */
  addIn(column: string, values: readonly SqlParameter[]): this {
    return this.add(`${column} IN ${listOf(values)}`, ...values);
  }
}

/** Returns the placeholders of values, in parentheses. */
export function listOf(values: readonly unknown[]): string {
  return `(${placeholders(values.length)})`;
}
