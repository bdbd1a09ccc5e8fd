import { expect, test } from 'vitest'
import { whenText } from '../../../public/settings/routines/routine-form.ts'

test.each([
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;BYHOUR=17;BYMINUTE=0', 'Every 2 weeks on Friday at 17:00'],
  ['FREQ=DAILY;BYHOUR=9;BYMINUTE=0;COUNT=1', 'Every day at 09:00, once'],
  ['FREQ=DAILY;BYHOUR=9;BYMINUTE=0;COUNT=3', 'Every day at 09:00, 3 times in all'],
  ['FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=9;BYMINUTE=0', 'Every month on the last Friday at 09:00'],
  ['FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0', 'Every Friday at 17:00'],
])('%s is shown as “%s”', (schedule, text) => {
  expect(whenText({ schedule, time_zone: 'UTC' })).toBe(text)
})
