import { expect, test } from 'vitest'
import { stageStatusNow } from '../../../public/features/research/research-words.ts'

test('a stage waits while its run does, and was stopped or done after it', () => {
  expect(stageStatusNow('paused', 'paused')).toBe('paused')
  expect(stageStatusNow('paused', 'stopped')).toBe('stopped')
  expect(stageStatusNow('paused', 'running')).toBe('done')
  expect(stageStatusNow('paused', 'done')).toBe('done')
  expect(stageStatusNow('failed', 'stopped')).toBe('failed')
})
