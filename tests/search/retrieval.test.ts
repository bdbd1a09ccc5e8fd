// A small fixed collection and the least that its ranking must give: who changes the analysis or the ranking learns
// here what it costs. Larger ones are judged by `npm run eval:search`.

import { expect, test } from 'vitest'
import { testDb } from '../helpers/test-db.ts'
import { conversations, makeDialogues } from '../tools/eval/dialogues/make-dialogues.ts'
import { evaluate } from '../tools/eval/evaluate.ts'

const db = await testDb()

const documents = [
  [
    'lamp',
    'The lamp',
    'It turns once in twelve seconds and burns rapeseed oil; the tank holds forty litres.',
  ],
  [
    'lens',
    'The lens',
    'Forty-two prisms of glass. Clean it with spirit and a linen cloth, never with water.',
  ],
  ['clock', 'Clockwork', 'The weight of the clockwork is wound up every four hours; it drives the lamp.'],
  ['fog', 'Fog horn', 'In fog the horn sounds every thirty seconds. Its compressor needs diesel.'],
  ['radio', 'Radio', 'Channel 16 is watched day and night. The log is kept in `radio/watchLog.csv`.'],
  ['lease', 'Lease', 'The lease of the house runs until 30 September 2031; the rent is 410 crowns.'],
  [
    'boat',
    'The boat',
    'A dinghy of four metres, tarred in spring. Oars are in the shed behind the store room.',
  ],
  ['store', 'Store room', 'Paint, ropes, wicks and two drums of oil. The key hangs behind the door.'],
  ['paint', 'Paint the rail', 'Two coats of white lead on the gallery rail before winter, in dry weather.'],
  ['visit', 'Visitors', 'Visitors come on Sundays from two to five; the stairs have 112 steps.'],
  ['soup', 'Fish soup', 'Cod, potatoes, leek and cream. Simmer for twenty minutes, do not boil.'],
  ['storm', 'Storm of 1894', 'The storm broke eleven panes of the lantern and took the jetty.'],
  ['relief', 'Relief', 'The relief keeper comes every third week; Herbert has the keys to both houses.'],
  ['water', 'Rainwater', 'Rain from the roof runs into the cistern; the filter is changed in March.'],
  ['wages', 'Wages', 'Wages are paid on the last working day, with an allowance for the night watch.'],
  ['code', 'Morse key', 'sendSignal(text, speed) in lib/morse/keyer.ts; the speed is in words per minute.'],
  ['german', 'Leuchtfeuer', 'Das Leuchtfeuer brennt von Sonnenuntergang bis Sonnenaufgang.'],
  ['onsen', '灯台', '灯台は岬の上に立っている。霧の日には汽笛を鳴らす。'],
].map(([id, title, text]) => ({ id: id!, title: title!, text: text! }))

const asked: [string, ...string[]][] = [
  ['how often does the light go round?', 'lamp'],
  ['what is burned in the lamp', 'lamp', 'store'],
  ['how do I clean the glass of the lens?', 'lens'],
  ['who winds the weight', 'clock'],
  ['what sounds in fog', 'fog'],
  ['diesel', 'fog'],
  ['which channel do we listen to on the radio', 'radio'],
  ['watchLog', 'radio'],
  ['watch log csv', 'radio'],
  ['when does the lease end', 'lease'],
  ['410 crowns', 'lease'],
  ['where are the oars?', 'boat'],
  ['key of the store room', 'store'],
  ['painting the railing of the gallery', 'paint'],
  ['opening hours for visitors on sunday', 'visit'],
  ['how long must the fish soup simmer', 'soup'],
  ['panes broken in the storm', 'storm'],
  ['when is the relif keeper here', 'relief'],
  ['cistern filtre', 'water'],
  ['pay day and allowances', 'wages'],
  ['sendSignal', 'code'],
  ['keyer.ts', 'code'],
  ['morse speed words per minute', 'code'],
  ['Wann brennt das Leuchtfeuer?', 'german'],
  ['霧', 'onsen'],
  ['"every third week"', 'relief'],
]

const collection = {
  name: 'lighthouse',
  documents,
  questions: asked.map(([text], at) => ({ id: `q${at}`, text })),
  relevant: new Map(asked.map(([, ...ids], at) => [`q${at}`, new Map(ids.map((id) => [id, 1]))])),
}

test.each([
  ['as they were written', { mixed: false, typos: false, links: 0 }, 0.94],
  ['with links at random', { mixed: false, typos: false, links: 2 }, 0.93],
  ['with a slip in each', { mixed: false, typos: true, links: 0 }, 0.85],
])('the questions find their answers, %s', async (_, options, least) => {
  const [report] = await evaluate(db, [collection], options)

  expect(report!.ndcg10).toBeGreaterThan(least)
  expect(report!.empty).toBe(0)
})

test('what was said is found by what the messages beside it say, and by who said it', async () => {
  const dialogues = { name: 'dialogues', ...makeDialogues() }
  expect(dialogues.questions.length).toBeGreaterThanOrEqual(200)
  expect(conversations).toBeGreaterThanOrEqual(20)

  const [report] = await evaluate(db, [dialogues], { mixed: false, typos: false, links: 0 })

  expect(report!.ndcg10).toBeGreaterThan(0.3)
  expect(report!.recall100).toBeGreaterThan(0.98)
})
