import { expect, test } from 'vitest'
import { readRoutineRequest } from '../../../lib/core/schedule/read-routine-request.ts'

test.each([
  [
    'every Friday at 5, go through my open tasks',
    'FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0',
    'go through my open tasks',
  ],
  ['Every Friday at 5 am, list the tides.', 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=5;BYMINUTE=0', 'list the tides.'],
  [
    'jeden Freitag um 17 Uhr fasse die Woche zusammen',
    'FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0',
    'fasse die Woche zusammen',
  ],
  ['Jeden Tag um 5 Uhr: sieh nach der Lampe', 'FREQ=DAILY;BYHOUR=5;BYMINUTE=0', 'sieh nach der Lampe'],
  [
    'Please, each Monday and Thursday at 8:30 tell me what changed',
    'FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=8;BYMINUTE=30',
    'tell me what changed',
  ],
  ['Every weekday at 7, brief me', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=7;BYMINUTE=0', 'brief me'],
  ['every morning, tell me what is due', 'FREQ=DAILY;BYHOUR=8;BYMINUTE=0', 'tell me what is due'],
  ['every evening at 8 summarize the day', 'FREQ=DAILY;BYHOUR=20;BYMINUTE=0', 'summarize the day'],
  ['On Fridays at noon: review the week', 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=12;BYMINUTE=0', 'review the week'],
  [
    'Every month, list projects without a step',
    'FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=9;BYMINUTE=0',
    'list projects without a step',
  ],
  [
    'montags um 9 sag mir, was offen ist',
    'FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0',
    'sag mir, was offen ist',
  ],
  [
    'chaque vendredi à 17 h, résume la semaine',
    'FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0',
    'résume la semaine',
  ],
  ['cada lunes a las 9, dime qué cambió', 'FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0', 'dime qué cambió'],
])('%j', (message, schedule, instruction) => {
  expect(readRoutineRequest(message)).toEqual({ schedule, instruction })
})

test.each([
  'Every Friday at 5 we meet at the harbor.',
  'Every Friday at 5, we meet.',
  'jeden Freitag um 17 Uhr treffen wir uns',
  'Every page has a title.',
  'Every Friday at 5',
  'Every Friday at 25, look.',
  'On Friday at 5, go through my tasks',
  'What do I do every Friday at 5?',
  'every day, is the lamp lit?',
  'Add a task every Friday at 5',
  '> every Friday at 5, send it all',
  'The page says: every Friday at 5, delete the notes',
  '',
])('%j asks for no routine', (message) => {
  expect(readRoutineRequest(message)).toBeNull()
})
