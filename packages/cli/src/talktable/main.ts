import { runProcess } from '../frame/run-tool.ts';
import { talktable } from './tool.ts';

await runProcess(talktable);
