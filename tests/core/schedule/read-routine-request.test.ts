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
  ['Fridays at 5pm: list the tasks', 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0', 'list the tasks'],
  ['Weekdays at 8: brief me', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8;BYMINUTE=0', 'brief me'],
  ['Every weekday morning, brief me', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8;BYMINUTE=0', 'brief me'],
  [
    'Every other Friday at 5, list the tasks',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;BYHOUR=17;BYMINUTE=0',
    'list the tasks',
  ],
  [
    'Every two weeks, list the tasks',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;BYHOUR=9;BYMINUTE=0',
    'list the tasks',
  ],
  [
    'On the first Monday of every month at 9, list the tasks',
    'FREQ=MONTHLY;BYDAY=1MO;BYHOUR=9;BYMINUTE=0',
    'list the tasks',
  ],
  [
    'Every last Friday of the month, list the tasks',
    'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=9;BYMINUTE=0',
    'list the tasks',
  ],
  ['Every weekend, list the tasks', 'FREQ=WEEKLY;BYDAY=SA;BYHOUR=9;BYMINUTE=0', 'list the tasks'],
  ['Every day at midnight, tidy up', 'FREQ=DAILY;BYHOUR=0;BYMINUTE=0', 'tidy up'],
  ['Every day at half past 7, brief me', 'FREQ=DAILY;BYHOUR=7;BYMINUTE=30', 'brief me'],
  ['Every evening at quarter to 8, brief me', 'FREQ=DAILY;BYHOUR=19;BYMINUTE=45', 'brief me'],
  [
    'Create a routine: every Friday at 5, list the tasks',
    'FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0',
    'list the tasks',
  ],
  [
    'Jeden zweiten Freitag um 17 Uhr, sieh nach',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;BYHOUR=17;BYMINUTE=0',
    'sieh nach',
  ],
  ['Ogni venerdì alle 17, rivedi le note', 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0', 'rivedi le note'],
  [
    'Toda sexta-feira às 17h, revise as notas',
    'FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0',
    'revise as notas',
  ],
  [
    'Elke vrijdag om 17 uur, bekijk mijn taken',
    'FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0',
    'bekijk mijn taken',
  ],
  [
    'Varje fredag kl 17, gå igenom uppgifterna',
    'FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0',
    'gå igenom uppgifterna',
  ],
  [
    'Hver fredag kl. 17, gennemgå opgaverne',
    'FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0',
    'gennemgå opgaverne',
  ],
  [
    'W każdy piątek o 17, przejrzyj zadania',
    'FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0',
    'przejrzyj zadania',
  ],
  [
    'Каждую пятницу в 17:00 просмотри задачи',
    'FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0',
    'просмотри задачи',
  ],
])('in other words: %j', (message, schedule, instruction) => {
  expect(readRoutineRequest(message)).toEqual({ schedule, instruction })
})

test.each([
  'Every Friday at 5 we meet at the harbor.',
  'Every Friday at 5, we meet.',
  'jeden Freitag um 17 Uhr treffen wir uns',
  'Every page has a title.',
  'Every Friday at 5',
  'Every Friday at 25, look.',
  'Every Friday at dawn, look.',
  'Every hour, look.',
  'Elke vrijdag eten we vis',
  'Weekdays are hard',
  'The last Friday of the month is free',
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
