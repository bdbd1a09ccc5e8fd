import { expect, test } from 'vitest'
import type { TaskRow } from '../../../lib/contract/space/home.ts'
import {
  dropTask,
  findTask,
  type Groups,
  groupsPath,
  parseFilters,
  putTask,
} from '../../../public/tasks/task-panel.ts'

const task = (id: string, more: Partial<TaskRow> = {}) =>
  ({ id, title: id, status: 'open', priority: 'normal', due_on: null, ...more }) as TaskRow

const groups: Groups = [
  { status: 'open', count: 2, items: [task('oil', { due_on: '2031-03-01' }), task('rail')] },
  { status: 'done', count: 40, items: [task('lens', { status: 'done' })] },
]

const shape = (all: Groups) => all.map(({ count, items }) => [count, items.map(({ id }) => id).join(' ')])

test('a task moves to the group of its status, and the counts with it', () => {
  expect(shape(putTask(groups, task('rail', { status: 'done' })))).toEqual([
    [1, 'oil'],
    [41, 'rail lens'],
  ])
})

test('a task stands where its date and priority put it', () => {
  const sooner = putTask(groups, task('rope', { due_on: '2031-02-01' }))
  const urgent = putTask(sooner, task('flags', { priority: 'urgent' }))

  expect(shape(urgent)[0]).toEqual([4, 'rope oil flags rail'])
})

test('a task that is not there is not counted off', () => {
  expect(shape(dropTask(groups, 'bell'))).toEqual(shape(groups))
  expect(findTask(groups, 'bell')).toBeNull()
})

test('the address names the filters, and what it does not know is none', () => {
  const now = new Date(2031, 2, 5)
  const filters = parseFilters(new URLSearchParams('due=overdue&priority=high&status=asleep&closed=9999'))

  expect(filters).toMatchObject({ due: 'overdue', priority: 'high', status: null, closed: 20 })
  expect(groupsPath('s', filters, now)).toBe(
    '/api/spaces/s/task-groups?priority=high&due_to=2031-03-04&closed=20',
  )
})
