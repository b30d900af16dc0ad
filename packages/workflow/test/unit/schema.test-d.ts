import { z } from 'zod';
import type { Timeout } from '../../src/definition/policies.ts';
import { strict } from '../../src/schema/call-schema.ts';

const time = z.union([z.string(), z.number()]).optional();

// Schemas have the keys of their types, with their values.
strict<Timeout>({ total: time, attempt: time, idle: time }, '');
// @ts-expect-error A key of the type is missing.
strict<Timeout>({ total: time, attempt: time }, '');
// @ts-expect-error The type has no such key.
strict<Timeout>({ total: time, attempt: time, idle: time, first: time }, '');
// @ts-expect-error The type has other values.
strict<Timeout>({ total: time, attempt: time, idle: z.boolean() }, '');
