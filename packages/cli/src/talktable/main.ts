import { runProcess } from '../frame/run-process.ts';
import { talktable } from './tool.ts';

await runProcess(talktable);
