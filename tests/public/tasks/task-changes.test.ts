import { expect, test } from 'vitest'
import type { ViewContext } from '../../../public/app/view.ts'
import { createTaskChanges } from '../../../public/tasks/task-changes.ts'
import type { TaskPanel } from '../../../public/tasks/task-panel.ts'

const row = {
  id: 'rail',
  version: 1,
  title: 'Paint the rail',
  status: 'open',
  priority: 'normal',
  due_on: null,
}

test('a panel whose dialog asks is not drawn anew by what was saved meanwhile', async () => {
  const groups = [{ status: 'open', items: [row], count: 1 }]
  const panel = { groups, activity: { busy: true, asking: true }, filters: {} } as unknown as TaskPanel
  const saved = Promise.withResolvers<unknown>()
  let refreshed = 0
  const refresh = async () => {
    refreshed += 1
  }
  const app = { api: { patch: () => saved.promise }, now: () => new Date() }
  const context = { app, space: { id: 's' }, refresh }
  const changes = createTaskChanges(panel, context as unknown as ViewContext, () => {})

  changes.change('rail', { due_on: null })
  saved.resolve({ ...row, version: 2 })
  await new Promise(setImmediate)
  expect([panel.activity.busy, refreshed]).toEqual([true, 0])

  panel.activity.asking = false
  changes.settle()
  expect([panel.activity.busy, refreshed]).toEqual([false, 1])
})
