import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** Runs `work` when the test is over that is running, or the test file where none is; what was begun last goes first. */
export function whenOver(work: () => Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(work)
  else afterAll(work)
}
