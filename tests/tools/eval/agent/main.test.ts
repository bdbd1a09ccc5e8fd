import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { profiles, startModelServer } from '../../../helpers/model-servers.ts'
import { runScript } from '../../../helpers/run-script.ts'
import { AgentRun } from './report.ts'

const script = 'tests/tools/eval/agent/main.ts'
const server = await startModelServer(profiles.find(({ name }) => name === 'vLLM')!, () => ({
  text: 'I could not find that in this Space.',
}))

test('takes the tasks that are named with the model that is named, prints what was done, and compares', async () => {
  const json = join(mkdtempSync(join(tmpdir(), 'void-agent-eval-')), 'run.json')
  const model = ['--model', 'modest', '--base-url', server.url, '--wire', 'chat']

  const { code, out, error } = await runScript(script, [
    ...model,
    '--tasks',
    'missing-2,edit-1',
    '--json',
    json,
  ])
  const compared = await runScript(script, ['--compare', json, json])

  expect(error).toBe('failed edit-1\ndone   missing-2\n')
  expect(code).toBe(0)
  expect(out).toContain('Model: modest, over chat at http://127.0.0.1')
  expect(out).toMatch(/missing +1 of +1 +100 %\n/)
  expect(out).toMatch(/edit +0 of +1 +0 %\n/)
  expect(out).toContain('edit-1: no_draft (Handbook of the mill)')
  expect(out).toContain('- Often does not draft what was asked.')
  const { tasks } = AgentRun.parse(JSON.parse(readFileSync(json, 'utf8')))
  expect(tasks.map(({ id, runs }) => [id, runs.length])).toEqual([
    ['edit-1', 1],
    ['missing-2', 1],
  ])
  expect(compared.out).toContain('better: 0\nworse: 0\nthe same: 2')
})

test('says what is wrong with its arguments', async () => {
  expect(await runScript(script, ['--tasks', 'edits'])).toMatchObject({
    code: 1,
    error: expect.stringContaining('There is no task or kind of task named “edits”.'),
  })
  expect(await runScript(script, [])).toMatchObject({
    code: 2,
    error: expect.stringContaining('No model is connected'),
  })
})
