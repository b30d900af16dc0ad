import { vi } from 'vitest';
import { testAgain } from './again-suite.ts';
import { testAgents } from './agents-suite.ts';
import { testFlows } from './flows-suite.ts';
import { testResume } from './resume-suite.ts';
import { testParallel } from './parallel-suite.ts';
import { testSteps } from './steps-suite.ts';
import { openOnPostgres, sharedPostgres } from '../../support/engine/support.ts';

// A server on a machine that may have a lot to do.
vi.setConfig({ testTimeout: 90_000 });

testFlows('on PostgreSQL', openOnPostgres);
testAgents('on PostgreSQL', openOnPostgres);
testParallel('on PostgreSQL', openOnPostgres);
testSteps('on PostgreSQL', openOnPostgres);
testAgain('on PostgreSQL', openOnPostgres);
testResume('on PostgreSQL', sharedPostgres);
