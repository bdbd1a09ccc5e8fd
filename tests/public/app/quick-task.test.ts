import { expect, test } from 'vitest'
import { parseQuickTask } from '../../../public/app/parse-quick-task.ts'

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
  ['Order oil tomorrow !high', { title: 'Order oil', due_on: '2031-03-06', priority: 'high' }],
  [
    'Order oil tomorrow at 9am !high',
    {
      title: 'Order oil',
      due_on: '2031-03-06',
      priority: 'high',
      remind_at: new Date(2031, 2, 6, 9).toISOString(),
    },
  ],
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

test.each([
  [
    'Water plants every monday',
    { title: 'Water plants', due_on: '2031-03-10', recurrence: 'FREQ=WEEKLY;BYDAY=MO' },
  ],
  [
    'Stand-up every weekday',
    { title: 'Stand-up', due_on: '2031-03-05', recurrence: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR' },
  ],
  ['Bins every tue and fri', { title: 'Bins', due_on: '2031-03-07', recurrence: 'FREQ=WEEKLY;BYDAY=TU,FR' }],
  [
    'Back up daily !high',
    { title: 'Back up', due_on: '2031-03-05', priority: 'high', recurrence: 'FREQ=DAILY' },
  ],
  ['Rent 3 Dec every month', { title: 'Rent', due_on: '2031-12-03', recurrence: 'FREQ=MONTHLY' }],
  ['Filter every 3 months', { title: 'Filter', due_on: '2031-03-05', recurrence: 'FREQ=MONTHLY;INTERVAL=3' }],
  ['Call every other week', { title: 'Call', due_on: '2031-03-05', recurrence: 'FREQ=WEEKLY;INTERVAL=2' }],
])('%s repeats', (line, task) => {
  expect(parseQuickTask(line, now)).toEqual(task)
})

test.each(['every monday', 'Read the daily mail', 'Every monday is a new week for us', 'Try every 0 days'])(
  '%s does not repeat',
  (line) => {
    expect(parseQuickTask(line, now)).toEqual({ title: line })
  },
)
