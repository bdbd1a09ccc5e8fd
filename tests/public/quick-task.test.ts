import { expect, test } from 'vitest'
import { parseQuickTask } from '../../public/tasks/parse-quick-task.ts'

// A Wednesday.
const now = new Date(2031, 2, 5, 10, 0)

test.each([
  ['Order oil', { title: 'Order oil' }],
  ['Order oil tomorrow', { title: 'Order oil', due_on: '2031-03-06' }],
  ['Order oil today !high', { title: 'Order oil', due_on: '2031-03-05', priority: 'high' }],
  ['!urgent Order oil', { title: 'Order oil', priority: 'urgent' }],
  ['Order oil by Friday', { title: 'Order oil', due_on: '2031-03-07' }],
  ['Order oil on wednesday', { title: 'Order oil', due_on: '2031-03-12' }],
  ['Order oil due 2031-12-24', { title: 'Order oil', due_on: '2031-12-24' }],
  ['Order oil next monday', { title: 'Order oil', due_on: '2031-03-10' }],
  ['Order oil 3 Dec', { title: 'Order oil', due_on: '2031-12-03' }],
  ['Order oil 24/12', { title: 'Order oil', due_on: '2031-12-24' }],
  ['Order oil tomorrow at 9am !high', { title: 'Order oil at 9am', due_on: '2031-03-06', priority: 'high' }],
  ['Order oil in 30 days', { title: 'Order oil', due_on: '2031-04-04' }],
])('%s', (line, task) => {
  expect(parseQuickTask(line, now)).toEqual(task)
})

test.each([
  ['Read “The day after tomorrow” again', 'a day that is not at the end'],
  ['tomorrow', 'nothing but a day'],
  ['!high', 'nothing but a priority'],
  ['Meet on 2031-02-30', 'a day that there is not'],
  ['Shout wow!high', 'a mark inside a word'],
])('%s stays a title: %s', (line) => {
  expect(parseQuickTask(line, now)).toEqual({ title: line })
})
