import { createCallRunsRepo } from '../db/repos/tool_calls.ts'
import { createKickedJob, type KickedJob } from '../jobs/kicked-job.ts'
import { type RunCallsDeps, runCalls } from './run-calls.ts'

/** Makes approved calls: at once when kicked, and those of a server that ended before it could. */
export type CallRunner = KickedJob

export const createCallRunner = (deps: RunCallsDeps): CallRunner =>
  createKickedJob(deps, {
    name: 'outside_calls',
    isDue: () => createCallRunsRepo(deps.database).isAnyOpen(),
    run: (signal) => runCalls(deps, signal),
  })
