import { testLargeRuns } from '../../support/engine/large-runs.ts';

testLargeRuns(0.1);
